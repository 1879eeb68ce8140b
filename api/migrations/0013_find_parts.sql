CREATE INDEX "products_by_kind" ON "products" USING btree ("kind","created_at","id") WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_fits" ON "products" USING gin ("fits");--> statement-breakpoint
-- By hand:
-- The one rule by which texts and searches are compared: no capital letters, no accents, and no commas or spaces inside
-- numbers. Runs of white space become one space. Most texts are plain ASCII and have no accents to look for, and placing an
-- order waits for it. The characters after the accents are those that Unicode does not take apart. A space belongs to a
-- number where digits in threes follow one to three digits.
CREATE FUNCTION "normalize_search"("value" text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	"folded" text := lower("value");
BEGIN
	IF octet_length("value") <> length("value") THEN
		"folded" := replace(replace(replace(translate(
			lower(regexp_replace(normalize("value", NFKD), '[\u0300-\u036f]+', '', 'g')),
			'øłđħı', 'oldhi'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
	END IF;
	"folded" := regexp_replace("folded", '\s{2,}|[^\S ]', ' ', 'g');
	IF "folded" ~ '[0-9][ ,][0-9]' THEN
		"folded" := regexp_replace(
			regexp_replace("folded", '(?<=[0-9]),(?=[0-9])', '', 'g'),
			'(?<=(^|[^0-9.])[0-9]{1,3}( [0-9]{3})*) (?=[0-9]{3}(?![0-9]))', '', 'g');
	END IF;
	RETURN "folded";
END $$;--> statement-breakpoint
-- Everything in which a part is found. The control character stands between the fields, as no word of a search has it.
CREATE FUNCTION "part_search_text"("name" text, "number" text, "description" text, "kind" text, "fits" text[])
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN "normalize_search"(
	"name" || E'\x1f' || "number" || E'\x1f' || "kind" || E'\x1f' || CASE "kind"
		WHEN 'Displays' THEN 'screen lcd oled'
		WHEN 'Batteries' THEN 'battery cell accumulator'
		WHEN 'Charging' THEN 'port coil'
		WHEN 'Sound and haptics' THEN 'speaker motor vibration'
		WHEN 'Housing' THEN 'glass frame tray'
		WHEN 'Boards' THEN 'logic board chip'
		WHEN 'Flexes and sensors' THEN 'ribbon cable'
		WHEN 'Fixings' THEN 'screw glue tape'
		ELSE ''
	END || E'\x1f' || array_to_string("fits", E'\x1f') || E'\x1f' || "description"
);--> statement-breakpoint
-- The characters of a text that few texts have, for words that are too short for trigrams. In PL/pgSQL and with a cost, so
-- that it is read from its index, and computed for few rows.
CREATE FUNCTION "search_letters"("value" text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
BEGIN
	RETURN string_to_array(regexp_replace("value", '[a-ik-pr-wy0-9 .,()/\x1f-]+', '', 'g'), NULL);
END $$;--> statement-breakpoint
-- Parts that are there get theirs now. It is no column of schema.ts: see there.
ALTER TABLE "products" ADD COLUMN "search" text GENERATED ALWAYS AS
	("part_search_text"("name", "number", "description", "kind", "fits")) STORED;--> statement-breakpoint
CREATE INDEX "products_search_text" ON "products" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "products_search_letters" ON "products" USING gin ("search_letters"("search"));
--> statement-breakpoint
-- Parts on sale whose names have words like those of a text, the most similar first. Of very many that resemble it any two
-- thousand are compared. The threshold belongs to the call alone, so that it holds behind a pooler.
CREATE FUNCTION "find_similar_parts"("value" text) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE sql STABLE PARALLEL SAFE SET pg_trgm.word_similarity_threshold TO 0.4
BEGIN ATOMIC
	SELECT "compared"."id", word_similarity("value", "compared"."name") FROM (
		SELECT "products"."id", lower("products"."name") AS "name" FROM "products"
		WHERE "value" <% lower("products"."name") AND "products"."deleted_at" IS NULL LIMIT 2000
	) AS "compared" ORDER BY 2 DESC, 1;
END;
