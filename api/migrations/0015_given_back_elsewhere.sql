ALTER TABLE "refunds" ADD COLUMN "elsewhere_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- By hand: a refund that was less than its order's share left out what had gone back before it was asked for.
UPDATE "refunds" SET "elsewhere_cents" = "payments"."amount_cents" - "refunds"."amount_cents"
FROM "payments"
WHERE "payments"."id" = "refunds"."payment_id" AND "payments"."order_id" = "refunds"."order_id"
	AND "refunds"."amount_cents" < "payments"."amount_cents";
