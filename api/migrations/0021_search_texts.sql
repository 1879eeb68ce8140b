CREATE TABLE "part_characters" (
	"character" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
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
INSERT INTO "part_characters" SELECT DISTINCT string_to_table(regexp_replace("search", '[\x1f-~]+', '', 'g'), NULL)
FROM "products" WHERE "search" ~ '[^\x1f-~]';--> statement-breakpoint
-- In their order, so that two parts that are written at the same moment do not wait for each other in turn.
CREATE FUNCTION "note_part_characters"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "part_characters"
	SELECT DISTINCT "character" FROM string_to_table(regexp_replace(NEW."search", '[\x1f-~]+', '', 'g'), NULL) AS "character"
	ORDER BY 1 ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "products_characters_new" AFTER INSERT ON "products" FOR EACH ROW
	WHEN (NEW."search" ~ '[^\x1f-~]')
	EXECUTE FUNCTION "note_part_characters"();
--> statement-breakpoint
CREATE TRIGGER "products_characters_changed" AFTER UPDATE OF "search" ON "products" FOR EACH ROW
	WHEN (NEW."search" ~ '[^\x1f-~]' AND NEW."search" IS DISTINCT FROM OLD."search")
	EXECUTE FUNCTION "note_part_characters"();
--> statement-breakpoint
-- The words of what can be found (those of parts are also kept apart by a control character), of which PostgreSQL notes the thousand most common ones whenever it analyzes a table.
CREATE STATISTICS "products_words"
	ON (CASE WHEN "deleted_at" IS NULL THEN string_to_array(translate("search", E'\x1f', ' '), ' ') END) FROM "products";--> statement-breakpoint
CREATE STATISTICS "users_words" ON (CASE WHEN "deleted_at" IS NULL THEN string_to_array("search", ' ') END) FROM "users";--> statement-breakpoint
-- Of a table's most common words, how many rows have them for certain: half of what the sample says, of which every row that was
-- changed since is taken off. None where nothing is noted, and of a table that has not even so many rows.
CREATE FUNCTION "list_common_words"("searched" regclass, "beyond" integer)
RETURNS TABLE ("word" text, "rows_at_least" double precision)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
	"stored" pg_class := (SELECT "class" FROM pg_class AS "class" WHERE "class".oid = "searched");
BEGIN
	-- In PL/pgSQL, which keeps its plans and does nothing of this for a table of the usual size.
	IF "stored".reltuples < "beyond" THEN
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
