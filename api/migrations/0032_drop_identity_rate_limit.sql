-- The identity service's own counts of requests. No version since migration 0029 uses them: they are in "rate_counts".
DROP TABLE "identity"."rate_limit";
