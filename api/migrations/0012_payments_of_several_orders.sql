-- A payment may be for several orders: it has a row for each of them, with the order's share. Payments that are there
-- are for one order, whose share is the whole.
ALTER TABLE "orders" DROP CONSTRAINT "orders_transaction";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_refund";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_payment_id_payments_id_fk";
--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_order_id_orders_id_fk";
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_pkey";--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_share" PRIMARY KEY("id","order_id");--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "unassigned_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "payment_cents" bigint;--> statement-breakpoint
UPDATE "payments" SET "payment_cents" = "amount_cents";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "payment_cents" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_share" FOREIGN KEY ("payment_id","order_id") REFERENCES "public"."payments"("id","order_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_transaction" ON "orders" USING btree ("transaction_id") WHERE "orders"."transaction_id" is not null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refund" CHECK (("orders"."refund_state" is null) = ("orders"."refund_cents" = 0 and "orders"."unassigned_cents" = 0)
        and "orders"."refund_cents" between 0 and "orders"."total_cents" and "orders"."unassigned_cents" >= 0);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_share_of_whole" CHECK ("payments"."amount_cents" between 0 and "payments"."payment_cents");--> statement-breakpoint
-- By hand:
-- The shares of a payment sum to it. Asked at the commit, as its rows come one after the other.
CREATE FUNCTION "check_payment_shares"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (
		SELECT FROM "payments" WHERE "id" IN (NEW."id", OLD."id") GROUP BY "id"
		HAVING sum("amount_cents") <> min("payment_cents") OR min("payment_cents") <> max("payment_cents")
	) THEN
		RAISE EXCEPTION 'the shares of the payment "%" do not sum to it', coalesce(NEW."id", OLD."id")
			USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "payments_shares_sum" AFTER INSERT OR DELETE OR UPDATE OF "id", "amount_cents", "payment_cents" ON "payments"
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_payment_shares"();
--> statement-breakpoint
-- A transaction serves no orders but those that it was opened for.
CREATE FUNCTION "check_order_payment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."transaction_id" IS NOT NULL AND NOT EXISTS (
		SELECT FROM "payments" WHERE "id" = NEW."transaction_id" AND "order_id" = NEW."id" AND "state" = 'applied'
	) THEN
		RAISE EXCEPTION 'the payment "%" has no share that was applied to the order', NEW."transaction_id"
			USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "orders_paid_by_own_share" AFTER UPDATE OF "transaction_id" ON "orders"
	FOR EACH ROW EXECUTE FUNCTION "check_order_payment"();
