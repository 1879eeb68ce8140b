CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"order_id" uuid NOT NULL,
	"amount_cents" bigint NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"provider_id" text,
	"reason" text,
	"requested_by" uuid,
	"note" text,
	"next_look_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "stray_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text,
	"received_cents" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_cancelled_due";--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "cancelled_at" TO "closed_at";--> statement-breakpoint
DROP INDEX "payments_unfinished";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "held_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_state" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "disputed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "closed" text;--> statement-breakpoint
UPDATE "orders" SET "closed" = 'cancelled' WHERE "closed_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_each" ON "refunds" USING btree ("payment_id","order_id");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_unfinished" ON "refunds" USING btree ("next_look_at") WHERE "refunds"."state" <> 'succeeded';--> statement-breakpoint
CREATE INDEX "stray_payments_open" ON "stray_payments" USING btree ("created_at") WHERE "stray_payments"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "orders_mine_closed" ON "orders" USING btree ("user_id","created_at","id") WHERE "orders"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_closed_newest" ON "orders" USING btree ("created_at","id") WHERE "orders"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_closed_as" ON "orders" USING btree ("closed","created_at","id") WHERE "orders"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("user_id") WHERE "orders"."status" = 'due' and "orders"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "orders_held" ON "orders" USING btree ("held_until") WHERE "orders"."status" = 'due' and "orders"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "payments_unfinished" ON "payments" USING btree ("updated_at") WHERE "payments"."state" in ('open', 'missing');--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_closed_known" CHECK ("orders"."closed" in ('cancelled', 'expired', 'refunded'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_closed" CHECK (("orders"."closed" is null) = ("orders"."closed_at" is null));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_closed_from" CHECK ("orders"."closed" is null or "orders"."status" = case "orders"."closed" when 'refunded' then 'pending' else 'due' end);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refund_known" CHECK ("orders"."refund_state" in ('pending', 'succeeded', 'failed'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refund" CHECK (("orders"."refund_state" is null) = ("orders"."refund_cents" = 0) and "orders"."refund_cents" between 0 and "orders"."total_cents");--> statement-breakpoint
-- What was still to be given back goes on being given back.
INSERT INTO "refunds" ("id", "payment_id", "order_id", "amount_cents", "note")
SELECT gen_random_uuid(), "id", "order_id", "amount_cents", "note" FROM "payments" WHERE "state" = 'refund_due';
--> statement-breakpoint
-- A due order whose last payment was given back had an attempt that the provider answers with that payment.
UPDATE "orders" SET "pay_attempt" = "payments"."attempt" + 1
FROM "payments"
WHERE "payments"."order_id" = "orders"."id" AND "payments"."attempt" = "orders"."pay_attempt"
	AND "payments"."state" IN ('refund_due', 'refunded') AND "orders"."status" = 'due' AND "orders"."closed_at" IS NULL;
--> statement-breakpoint
-- Counts a customer's unpaid orders so that two orders placed at once are counted one after the other: within a
-- function a statement sees what was committed while the lock was waited for, which one statement alone does not.
CREATE FUNCTION "count_unpaid_orders"("customer" uuid) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('unpaid ' || "customer"::text, 0));
	RETURN (SELECT count(*) FROM "orders" WHERE "user_id" = "customer" AND "status" = 'due' AND "closed_at" IS NULL);
END $$;
