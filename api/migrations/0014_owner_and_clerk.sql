CREATE TABLE "order_sums" (
	"week" date NOT NULL,
	"pending" integer NOT NULL,
	"pending_cents" bigint NOT NULL,
	"paid" integer NOT NULL,
	"paid_cents" bigint NOT NULL,
	"refunded" integer NOT NULL,
	"refunded_cents" bigint NOT NULL,
	"revenue_cents" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "orders_search";--> statement-breakpoint
DROP INDEX "orders_unpaid";--> statement-breakpoint
DROP INDEX "users_search";--> statement-breakpoint
CREATE INDEX "reviews_of_user" ON "reviews" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ((normalize_search(' ' || "product_name" || E' \x1f ' || "name" || E' \x1f ' || "email" || E' \x1f ' || coalesce("reference", '') || E' \x1f ' || translate("address", E'\n', ' ') || E' \x1f ' || "phone" || E' \x1f ' || translate("phone", ' +-()', ''))) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("user_id","quantity","total_cents") WHERE "orders"."status" = 'due' and "orders"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ((normalize_search("name" || ' ' || "email")) gin_trgm_ops);--> statement-breakpoint
-- By hand:
-- What orders that are paid for come to is noted with each change; only paying, accepting and giving back is one, so
-- placing an order pays for none of it.
CREATE FUNCTION "note_order_sums"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "order_sums"
	SELECT date_trunc('week', CASE TG_OP WHEN 'INSERT' THEN NEW."created_at" ELSE NEW."updated_at" END AT TIME ZONE 'UTC'),
		coalesce(sum("sign") FILTER (WHERE "is_pending"), 0),
		coalesce(sum("sign" * "total_cents") FILTER (WHERE "is_pending"), 0),
		coalesce(sum("sign") FILTER (WHERE "is_paid"), 0),
		coalesce(sum("sign" * "total_cents") FILTER (WHERE "is_paid"), 0),
		coalesce(sum("sign") FILTER (WHERE "refund_cents" > 0), 0),
		coalesce(sum("sign" * "refund_cents"), 0),
		coalesce(sum("sign" * ("total_cents" - "refund_cents")) FILTER (WHERE "status" <> 'due'), 0)
	FROM (
		SELECT 1 AS "sign", NEW."status", NEW."total_cents", NEW."refund_cents",
			NEW."status" = 'pending' AND NEW."closed_at" IS NULL AS "is_pending",
			NEW."status" = 'paid' AND NEW."closed_at" IS NULL AS "is_paid"
		UNION ALL
		SELECT -1, OLD."status", OLD."total_cents", OLD."refund_cents",
			OLD."status" = 'pending' AND OLD."closed_at" IS NULL,
			OLD."status" = 'paid' AND OLD."closed_at" IS NULL
		WHERE TG_OP = 'UPDATE'
	) AS "states";
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "orders_sums_of_new" AFTER INSERT ON "orders" FOR EACH ROW
	WHEN (NEW."status" <> 'due') EXECUTE FUNCTION "note_order_sums"();
--> statement-breakpoint
CREATE TRIGGER "orders_sums_of_changed" AFTER UPDATE OF "status", "closed_at", "refund_cents" ON "orders" FOR EACH ROW
	WHEN (NEW."status" <> 'due' AND (OLD."status", OLD."closed_at" IS NULL, OLD."refund_cents")
		IS DISTINCT FROM (NEW."status", NEW."closed_at" IS NULL, NEW."refund_cents"))
	EXECUTE FUNCTION "note_order_sums"();
--> statement-breakpoint
-- Those that are there count in the week in which they were placed, as do all that are written in bulk past the trigger.
CREATE FUNCTION "sum_orders"() RETURNS void LANGUAGE sql AS $$
	TRUNCATE "order_sums";
	INSERT INTO "order_sums"
	SELECT date_trunc('week', "created_at" AT TIME ZONE 'UTC'),
		count(*) FILTER (WHERE "status" = 'pending' AND "closed_at" IS NULL),
		coalesce(sum("total_cents") FILTER (WHERE "status" = 'pending' AND "closed_at" IS NULL), 0),
		count(*) FILTER (WHERE "status" = 'paid' AND "closed_at" IS NULL),
		coalesce(sum("total_cents") FILTER (WHERE "status" = 'paid' AND "closed_at" IS NULL), 0),
		count(*) FILTER (WHERE "refund_cents" > 0),
		coalesce(sum("refund_cents"), 0),
		coalesce(sum("total_cents" - "refund_cents"), 0)
	FROM "orders" WHERE "status" <> 'due' GROUP BY 1;
$$;
--> statement-breakpoint
SELECT "sum_orders"();
