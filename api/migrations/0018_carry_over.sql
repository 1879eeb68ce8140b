-- By hand:
-- What somebody wanted to give back at the provider and could not is not the order's own any more: its money is all there.
UPDATE "orders" SET "unassigned_cents" = "unassigned_cents" + "refund_cents", "refund_cents" = 0
WHERE "refund_state" = 'failed' AND "refund_cents" > 0 AND NOT EXISTS (
	SELECT FROM "refunds"
	WHERE "refunds"."order_id" = "orders"."id" AND "refunds"."payment_id" = "orders"."transaction_id"
);--> statement-breakpoint
-- A first start that was interrupted before its history was written, as it was noted before there was another beginning.
-- Versions between have ignored that mark: where somebody has lived in the shop since, it says nothing any more.
UPDATE "settings" SET "name" = 'demo_unfinished', "value" = 'history ' || "value"
WHERE "name" = 'demo_history_due' AND NOT EXISTS (SELECT FROM "orders")
	AND NOT EXISTS (SELECT FROM "users" WHERE "role" = 'user')
	AND NOT EXISTS (SELECT FROM "trail" WHERE "actor_id" IS NOT NULL);--> statement-breakpoint
DELETE FROM "settings" WHERE "name" = 'demo_history_due';
