-- By hand: what orders and users are found by is written into their rows, by the same function that it was computed by for
-- each row that a search looked at. They are no columns of schema.ts: see there.
DROP INDEX "orders_search";--> statement-breakpoint
DROP INDEX "users_search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"(
	' ' || "product_name" || E' \x1f ' || "name" || E' \x1f ' || "email" || E' \x1f ' || coalesce("reference", '') || E' \x1f '
	|| translate("address", E'\n', ' ') || E' \x1f ' || "phone" || E' \x1f ' || translate("phone", ' +-()', '')
)) STORED;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"("name" || ' ' || "email")) STORED;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
-- What has other characters than those that two letters are looked for with: see filter-products.ts, which names the same.
CREATE INDEX "products_beyond_followers" ON "products" USING btree ("id") WHERE "search" ~ '[^\x1f-~£¥§©«®°±µ·»×÷α-ωа-яё]';--> statement-breakpoint
-- The words of what can be found (those of parts are kept apart by a control character, too), of which PostgreSQL notes the
-- thousand most common ones whenever it analyzes a table.
CREATE STATISTICS "products_words"
	ON (CASE WHEN "deleted_at" IS NULL THEN string_to_array(translate("search", E'\x1f', ' '), ' ') END) FROM "products";--> statement-breakpoint
CREATE STATISTICS "users_words" ON (CASE WHEN "deleted_at" IS NULL THEN string_to_array("search", ' ') END) FROM "users";--> statement-breakpoint
-- Of a table's most common words, how many rows have them for certain: half of what the sample says, of which every row that was
-- changed since is taken off. None where nothing is noted, where it is not known what was changed since (a replica does not
-- count it, and a server that crashed has forgotten it), and of a table that has not even so many rows.
CREATE FUNCTION "list_common_words"("searched" regclass, "beyond" integer)
RETURNS TABLE ("word" text, "rows_at_least" double precision)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
	"stored" pg_class := (SELECT "class" FROM pg_class AS "class" WHERE "class".oid = "searched");
BEGIN
	-- In PL/pgSQL, which keeps its plans and does nothing of this for a table of the usual size.
	IF "stored".reltuples < "beyond" OR pg_is_in_recovery()
		OR greatest(pg_stat_get_last_analyze_time("searched"), pg_stat_get_last_autoanalyze_time("searched")) IS NULL THEN
		RETURN;
	END IF;
	RETURN QUERY SELECT "common".*
	FROM pg_stats_ext_exprs AS "noted"
	CROSS JOIN unnest("noted".most_common_elems::text::text[], "noted".most_common_elem_freqs) AS "share"("word", "of_noted")
	CROSS JOIN LATERAL (SELECT "share"."word", "share"."of_noted" * (1 - "noted".null_frac) * "stored".reltuples / 2
		- pg_stat_get_mod_since_analyze("searched") AS "rows_at_least") AS "common"
	WHERE "noted".schemaname = "stored".relnamespace::regnamespace::text AND "noted".tablename = "stored".relname
		AND "common"."rows_at_least" > "beyond";
END $$;
--> statement-breakpoint
-- What was rewritten has no statistics, and does not count as changed. Empty tables are left for when they have rows.
DO $$
BEGIN
	IF EXISTS (SELECT FROM "products") THEN
		ANALYZE "products", "users", "orders";
	END IF;
END $$;
