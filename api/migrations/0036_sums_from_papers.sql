-- By hand: what kept the table.
DROP TRIGGER "orders_sums_of_new" ON "orders";--> statement-breakpoint
DROP TRIGGER "orders_sums_of_changed" ON "orders";--> statement-breakpoint
DROP FUNCTION "note_order_sums"();--> statement-breakpoint
DROP FUNCTION "sum_orders"();--> statement-breakpoint
DROP TABLE "order_sums";--> statement-breakpoint
DROP INDEX "invoices_day";--> statement-breakpoint
DROP INDEX "orders_status";--> statement-breakpoint
DROP INDEX "orders_disputed";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "lost" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_refunded" ON "orders" USING btree ("id") WHERE "orders"."refund_state" is not null;--> statement-breakpoint
CREATE INDEX "invoices_day" ON "invoices" USING btree ("day","series","lost","total_cents");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","id","total_cents") WHERE "orders"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "orders_disputed" ON "orders" USING btree ("status") WHERE "orders"."disputed";
