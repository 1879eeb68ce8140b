ALTER TABLE "invoices" DROP CONSTRAINT "invoices_credit";--> statement-breakpoint
DROP INDEX "refunds_one_each";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "inquiry" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_returned" ON "orders" USING btree ("number") WHERE "orders"."closed" = 'refunded' and "orders"."refund_cents" < "orders"."total_cents";--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_credit" CHECK (("invoices"."series" = 'invoice') = ("invoices"."invoice_id" is null));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_inquiry" CHECK ("orders"."disputed" or not "orders"."inquiry");--> statement-breakpoint
-- Accounts that were erased before, as "eraseUnpaidOrders" does it now.
UPDATE "orders" SET "name" = 'Former customer', "email" = "users"."email", "address" = '', "phone" = '', "reference" = NULL
	FROM "users" WHERE "users"."id" = "orders"."user_id" AND "users"."email" = "users"."id" || '@erased.invalid'
	AND "orders"."status" = 'due' AND "orders"."closed_at" IS NOT NULL AND NOT EXISTS (
		SELECT FROM "payments" WHERE "order_id" = "orders"."id" AND "state" IN ('applied', 'refund_due', 'refunded'));
