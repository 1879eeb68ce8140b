ALTER TABLE "refunds" ADD COLUMN "elsewhere_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- By hand: a refund that was less than its order's share left out what had gone back before it was asked for.
-- One that has not come to its end left out what had gone back of the payment for nobody, too.
UPDATE "refunds" SET "elsewhere_cents" = greatest(
	"payments"."amount_cents" - "refunds"."amount_cents",
	CASE WHEN "refunds"."state" = 'succeeded' THEN 0 ELSE "orders"."unassigned_cents" END,
	0)
FROM "payments", "orders"
WHERE "payments"."id" = "refunds"."payment_id" AND "payments"."order_id" = "refunds"."order_id"
	AND "orders"."id" = "refunds"."order_id";
