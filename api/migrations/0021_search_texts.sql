-- By hand: the same rule as before, but that white space is what it says and not the control character between the fields,
-- which is white space for ICU. Where it was, the texts of parts are written anew.
CREATE OR REPLACE FUNCTION "normalize_search"("value" text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	"folded" text := lower("value");
BEGIN
	IF octet_length("value") <> length("value") THEN
		"folded" := replace(replace(replace(translate(
			lower(regexp_replace(normalize("value", NFKD), '[\u0300-\u036f]+', '', 'g')),
			'øłđħı', 'oldhi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
	END IF;
	"folded" := regexp_replace("folded", '[^\S\x1f]{2,}|[^\S \x1f]', ' ', 'g');
	IF "folded" ~ '[0-9][ ,][0-9]' THEN
		"folded" := regexp_replace(
			regexp_replace("folded", '(?<=[0-9]),(?=[0-9])', '', 'g'),
			'(?<=(^|[^0-9.])[0-9]{1,3}( [0-9]{3})*) (?=[0-9]{3}(?![0-9]))', '', 'g');
	END IF;
	RETURN "folded";
END $$;--> statement-breakpoint
DO $$
BEGIN
	IF E'\x1f' ~ '\s' THEN
		UPDATE "products" SET "name" = "name";
	END IF;
END $$;--> statement-breakpoint
-- What orders and users are found by is written into their rows, by the same function that it was computed by for
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
-- changed since is taken off. None where nothing was noted since the server was started, as it counts the changes of its own
-- sessions alone (a replica none, and what is a primary again not those of the meantime), and of a table that has not even so
-- many rows.
CREATE FUNCTION "list_common_words"("searched" regclass, "beyond" integer)
RETURNS TABLE ("word" text, "rows_at_least" double precision)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
	"stored" pg_class := (SELECT "class" FROM pg_class AS "class" WHERE "class".oid = "searched");
BEGIN
	-- In PL/pgSQL, which keeps its plans and does nothing of this for a table of the usual size.
	IF "stored".reltuples < "beyond" OR pg_is_in_recovery() OR coalesce(greatest(
		pg_stat_get_last_analyze_time("searched"), pg_stat_get_last_autoanalyze_time("searched")
	) < pg_postmaster_start_time(), true) THEN
		RETURN;
	END IF;
	RETURN QUERY SELECT "common".*
	FROM pg_stats_ext_exprs AS "noted"
	CROSS JOIN unnest("noted".most_common_elems::text::text[], "noted".most_common_elem_freqs) AS "share"("word", "of_noted")
	CROSS JOIN LATERAL (SELECT "share"."word", "share"."of_noted" * (1 - "noted".null_frac) * "stored".reltuples / 2
		- pg_stat_get_mod_since_analyze("searched") AS "rows_at_least") AS "common"
	WHERE "noted".schemaname = "stored".relnamespace::regnamespace::text
		AND "noted".statistics_name = "stored".relname || '_words'
		AND "share"."word" IS NOT NULL AND "common"."rows_at_least" > "beyond";
END $$;
--> statement-breakpoint
-- Parts on sale whose names are more similar to a text than the bound, which is at least 0.4 and less than 1. A higher bound
-- asks the index for more of the text's groups of three letters at once, so that the most common ones are not read.
CREATE FUNCTION "find_nearer_names"("value" text, "bound" real) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE plpgsql SET pg_trgm.word_similarity_threshold TO 0.4 AS $$
BEGIN
	PERFORM set_config('pg_trgm.word_similarity_threshold', ("bound" + 0.001)::text, true);
	RETURN QUERY SELECT "products"."id", word_similarity("value", lower("products"."name")) FROM "products"
	WHERE "value" <% lower("products"."name") AND "products"."deleted_at" IS NULL LIMIT 2000;
END $$;
