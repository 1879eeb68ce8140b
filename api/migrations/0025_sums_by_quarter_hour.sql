-- By hand:
-- Sums are kept by the quarter of an hour, which the days and weeks of every time zone are made of. What was summed up by
-- weeks of UTC counts in the middle of its week, which is in the same week everywhere.
ALTER TABLE "order_sums" ALTER COLUMN "week" TYPE timestamp with time zone
	USING ("week" + interval '84 hours') AT TIME ZONE 'UTC';
--> statement-breakpoint
ALTER TABLE "order_sums" RENAME COLUMN "week" TO "at";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_order_sums"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "order_sums"
	SELECT date_bin('15 minutes', CASE TG_OP WHEN 'INSERT' THEN NEW."created_at" ELSE NEW."updated_at" END, '2000-01-01T00:00:00Z'),
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
CREATE OR REPLACE FUNCTION "sum_orders"() RETURNS void LANGUAGE sql AS $$
	TRUNCATE "order_sums";
	INSERT INTO "order_sums"
	SELECT date_bin('15 minutes', "created_at", '2000-01-01T00:00:00Z'),
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
