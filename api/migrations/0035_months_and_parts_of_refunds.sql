-- By hand: weeks are sums of papers.
DROP TRIGGER "orders_sums_of_new" ON "orders";--> statement-breakpoint
DROP TRIGGER "orders_sums_of_changed" ON "orders";--> statement-breakpoint
DROP FUNCTION "note_order_sums"();--> statement-breakpoint
DROP FUNCTION "sum_orders"();--> statement-breakpoint
DROP TABLE "order_sums";--> statement-breakpoint
ALTER TABLE "invoices" DROP CONSTRAINT "invoices_total";--> statement-breakpoint
DROP INDEX "orders_status";--> statement-breakpoint
DROP INDEX "orders_disputed";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "refund_id" uuid;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "lost" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "day" date;--> statement-breakpoint
-- Of existing papers, on which nothing else changes.
ALTER TABLE "invoices" DISABLE TRIGGER "invoices_append_only";--> statement-breakpoint
UPDATE "invoices" SET "day" = ("issued_at" AT TIME ZONE "time_zone")::date;--> statement-breakpoint
ALTER TABLE "invoices" ENABLE ALWAYS TRIGGER "invoices_append_only";--> statement-breakpoint
ALTER TABLE "invoices" ALTER COLUMN "day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "settled_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "lost_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refunded_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "quantity" integer;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "body_hash" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "company" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "billing_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "country" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "invoices_day" ON "invoices" USING btree ("day","series","lost","total_cents");--> statement-breakpoint
CREATE INDEX "orders_refunded" ON "orders" USING btree ("id") WHERE "orders"."refund_state" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_key" ON "refunds" USING btree ("requested_by","key") WHERE "refunds"."key" is not null;--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","id","total_cents") WHERE "orders"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "orders_disputed" ON "orders" USING btree ("status") WHERE "orders"."disputed";--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_total" CHECK ("invoices"."total_cents" > 0 and "invoices"."tax_cents" between 0 and "invoices"."total_cents");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_settled" CHECK ("orders"."lost_cents" between 0 and "orders"."settled_cents");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunded_pieces" CHECK ("orders"."refunded_pieces" between 0 and "orders"."quantity");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_quantity" CHECK ("refunds"."quantity" > 0);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_tax" CHECK (("users"."tax" = 'standard') = ("users"."tax_reason" = ''));--> statement-breakpoint
-- Refunds were whole until now. Notes waited for the end of all refunds of an order.
UPDATE "orders" SET
	"settled_cents" = CASE WHEN "refund_state" = 'pending' OR "failed_cents" > 0 THEN greatest(0, least("refund_cents", (
		SELECT coalesce(sum(CASE "series" WHEN 'credit-note' THEN "total_cents" ELSE -"total_cents" END), 0)
		FROM "invoices" WHERE "order_id" = "orders"."id" AND "series" <> 'invoice'))) ELSE "refund_cents" END,
	"refunded_pieces" = CASE WHEN "closed" = 'refunded' OR EXISTS (
		SELECT FROM "refunds" WHERE "order_id" = "orders"."id" AND "payment_id" = "orders"."transaction_id") THEN "quantity" ELSE 0 END
	WHERE "refund_cents" > 0 OR "closed" = 'refunded';--> statement-breakpoint
-- Money of no order, on the payment's orders by id.
UPDATE "orders" SET "settled_cents" = "settled_cents" + greatest(0, least("rest", "shared"."unassigned_cents" - "before")) FROM (
	SELECT "id", "unassigned_cents", "total_cents" - "refund_cents" AS "rest", coalesce(sum("total_cents" - "refund_cents") OVER (
		PARTITION BY "transaction_id" ORDER BY "id" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS "before"
	FROM "orders" WHERE "unassigned_cents" > 0 AND "refund_state" = 'succeeded'
) AS "shared" WHERE "shared"."id" = "orders"."id";--> statement-breakpoint
DROP FUNCTION "count_unassigned"(uuid, text, bigint, bigint, text);--> statement-breakpoint
-- A row to lock before the first paper of each series.
INSERT INTO "invoice_numbers" ("series", "year", "last", "last_at")
	SELECT "series", 0, 0, '1970-01-01Z' FROM unnest(ARRAY['invoice', 'credit-note', 'debit-note']) AS "series"
	ON CONFLICT DO NOTHING;
