ALTER TABLE "product_keys" RENAME TO "request_keys";--> statement-breakpoint
ALTER TABLE "request_keys" RENAME CONSTRAINT "product_keys_user_id_key_pk" TO "request_keys_user_id_key_pk";--> statement-breakpoint
-- By hand: a browser's list is a request with the key and the meaning of `join-batch.ts`.
INSERT INTO "request_keys" ("user_id", "key", "body_hash", "answer", "created_at")
SELECT "user_id", 'join ' || "join_id", sha256('"join"'::bytea), '{}', "created_at" FROM "batch_joins";--> statement-breakpoint
DROP TABLE "batch_joins";
