ALTER TABLE "orders" ADD COLUMN "failed_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_failed" CHECK ("orders"."failed_cents" between 0 and "orders"."refund_cents");--> statement-breakpoint
-- By hand:
-- A refund that failed is not given back as long as it is not made.
CREATE OR REPLACE FUNCTION "note_order_sums"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "order_sums"
	SELECT date_trunc('week', CASE TG_OP WHEN 'INSERT' THEN NEW."created_at" ELSE NEW."updated_at" END AT TIME ZONE 'UTC'),
		coalesce(sum("sign") FILTER (WHERE "is_pending"), 0),
		coalesce(sum("sign" * "total_cents") FILTER (WHERE "is_pending"), 0),
		coalesce(sum("sign") FILTER (WHERE "is_paid"), 0),
		coalesce(sum("sign" * "total_cents") FILTER (WHERE "is_paid"), 0),
		coalesce(sum("sign") FILTER (WHERE "given_back_cents" > 0), 0),
		coalesce(sum("sign" * "given_back_cents"), 0),
		coalesce(sum("sign" * ("total_cents" - "given_back_cents")) FILTER (WHERE "status" <> 'due'), 0)
	FROM (
		SELECT 1 AS "sign", NEW."status", NEW."total_cents",
			NEW."refund_cents" - NEW."failed_cents" + count_unassigned(NEW."id", NEW."transaction_id", NEW."refund_cents", NEW."unassigned_cents",
				NEW."refund_state") AS "given_back_cents",
			NEW."status" = 'pending' AND NEW."closed_at" IS NULL AS "is_pending",
			NEW."status" = 'paid' AND NEW."closed_at" IS NULL AS "is_paid"
		UNION ALL
		SELECT -1, OLD."status", OLD."total_cents",
			OLD."refund_cents" - OLD."failed_cents" + count_unassigned(OLD."id", OLD."transaction_id", OLD."refund_cents", OLD."unassigned_cents",
				OLD."refund_state"),
			OLD."status" = 'pending' AND OLD."closed_at" IS NULL,
			OLD."status" = 'paid' AND OLD."closed_at" IS NULL
		WHERE TG_OP = 'UPDATE'
	) AS "states";
	RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER "orders_sums_of_changed" ON "orders";
--> statement-breakpoint
CREATE TRIGGER "orders_sums_of_changed"
	AFTER UPDATE OF "status", "closed_at", "refund_cents", "unassigned_cents", "failed_cents", "refund_state" ON "orders" FOR EACH ROW
	WHEN (NEW."status" <> 'due' AND (OLD."status", OLD."closed_at" IS NULL, OLD."refund_cents", OLD."unassigned_cents",
		OLD."failed_cents", OLD."refund_state") IS DISTINCT FROM (NEW."status", NEW."closed_at" IS NULL, NEW."refund_cents", NEW."unassigned_cents",
		NEW."failed_cents", NEW."refund_state"))
	EXECUTE FUNCTION "note_order_sums"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "sum_orders"() RETURNS void LANGUAGE sql AS $$
	TRUNCATE "order_sums";
	INSERT INTO "order_sums"
	SELECT date_trunc('week', "created_at" AT TIME ZONE 'UTC'),
		count(*) FILTER (WHERE "status" = 'pending' AND "closed_at" IS NULL),
		coalesce(sum("total_cents") FILTER (WHERE "status" = 'pending' AND "closed_at" IS NULL), 0),
		count(*) FILTER (WHERE "status" = 'paid' AND "closed_at" IS NULL),
		coalesce(sum("total_cents") FILTER (WHERE "status" = 'paid' AND "closed_at" IS NULL), 0),
		count(*) FILTER (WHERE "given_back_cents" > 0),
		coalesce(sum("given_back_cents"), 0),
		coalesce(sum("total_cents" - "given_back_cents"), 0)
	FROM (
		SELECT *, "refund_cents" - "failed_cents" + CASE WHEN "unassigned_cents" > 0
			THEN count_unassigned("id", "transaction_id", "refund_cents", "unassigned_cents", "refund_state") ELSE 0
		END AS "given_back_cents"
		FROM "orders" WHERE "status" <> 'due'
	) AS "paid" GROUP BY 1;
$$;
--> statement-breakpoint
-- Of those that are there what somebody has given back meanwhile in their place is not known; the next look notes it.
UPDATE "orders" SET "failed_cents" = least("orders"."refund_cents", "refunds"."amount_cents")
FROM "refunds"
WHERE "orders"."refund_state" = 'failed' AND "refunds"."order_id" = "orders"."id"
	AND "refunds"."payment_id" = "orders"."transaction_id" AND "refunds"."state" = 'failed';
