DROP INDEX "products_search";--> statement-breakpoint
-- By hand:
-- The one rule by which texts and searches are compared, in two steps. Buyers type other marks than catalogues have, and
-- phones set marks of their own: `PF–D6101`, `pf_d6101` and `PFD6101` are `pfd6101`; `O’Connor` is `oconnor`; `Müller` and
-- `Mueller` are `muller`; `5,000` is `5000`. White space becomes one space each. The control character stands between the
-- fields of a text. Most texts are ASCII, and placing an order waits for this: so each costly step has a cheap test before it.
-- Dots and slashes between two digits stay, as `6.1` is not `61`. A space belongs to a number where digits in threes follow
-- one to three digits. What is left of double quotes is inches.
CREATE FUNCTION "fold_search"("value" text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
	"folded" text := lower("value");
BEGIN
	IF octet_length("value") <> length("value") THEN
		-- Marks that Unicode would take apart into others come first; then accents and invisible characters go.
		"folded" := regexp_replace(normalize(translate("value", '´×', '''x'), NFKD),
			'[\u00ad\u0300-\u036f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+', '', 'g');
		"folded" := replace(replace(replace(translate(lower("folded"),
			'øłđħıς‐‑‒–—―−⁄‘’‚‛′ʼ“”„‟', 'oldhiσ-------/''''''''''''""""'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
	END IF;
	"folded" := regexp_replace("folded", '[^\S\x1f]{2,}|[^\S \x1f]', ' ', 'g');
	IF "folded" ~ '["''`]' THEN
		"folded" := regexp_replace(replace("folded", '''''', '"'), '(^|[ \x1f(])"([^"\x1f]*)"', '\1\2', 'g');
		"folded" := regexp_replace("folded", '(?<![0-9])"|[''`]', '', 'g');
		"folded" := regexp_replace("folded", '"(?=[a-z0-9\u00aa-\U0010ffff])', '" ', 'g');
	END IF;
	IF "folded" ~ '[0-9][ ,][0-9]' THEN
		"folded" := regexp_replace(
			regexp_replace("folded", '(?<=[0-9]),(?=[0-9])', '', 'g'),
			'(?<=(^|[^0-9.])[0-9]{1,3}( [0-9]{3})*) (?=[0-9]{3}(?![0-9]))', '', 'g');
	END IF;
	-- Before the marks go: `usb-a-extension` has no umlaut.
	"folded" := replace(replace(replace("folded", 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
	IF "folded" ~ '[-_./+,;:]' THEN
		"folded" := regexp_replace(regexp_replace("folded",
			'(?<=[a-z0-9\u00aa-\U0010ffff])([-_]+|[./+](?![0-9])|(?<![0-9])[./+])(?=[a-z0-9\u00aa-\U0010ffff])', '', 'g'),
			'(?<=[^ \x1f])[-_/.,;:]+(?=[ \x1f)]|$)', '', 'g');
	END IF;
	RETURN "folded";
END $$;--> statement-breakpoint
-- Numbers apart from their units: `5000mah` is `5000 mah`, `6.1"` is `6.1 inch`, `2532x1170` is `2532 x 1170`.
CREATE FUNCTION "split_units"("folded" text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
	IF "folded" ~ '[0-9] ?x ?[0-9]' THEN
		"folded" := regexp_replace("folded", '([0-9]) ?x ?(?=[0-9])', '\1 x ', 'g');
	END IF;
	IF "folded" ~ '[0-9][a-z"\u00aa-\U0010ffff]' THEN
		"folded" := replace(regexp_replace("folded", '([0-9])(?=[a-z\u00aa-\U0010ffff])', '\1 ', 'g'), '"', ' inch');
	END IF;
	RETURN "folded";
END $$;--> statement-breakpoint
-- Of standard SQL bodies, so that a dump restores what is made by them whatever its `search_path`.
CREATE OR REPLACE FUNCTION "normalize_search"("value" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN "split_units"("fold_search"("value"));--> statement-breakpoint
-- The words of a search in their order, as texts have them. A number and a unit that were typed as one word stay one.
CREATE FUNCTION "search_words"("q" text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
	SELECT "split_units"("word") FROM string_to_table("fold_search"("q"), ' ') WITH ORDINALITY AS "part"("word", "place")
	WHERE "word" <> '' ORDER BY "place"
);--> statement-breakpoint
-- Letters and digits alone, by which part numbers are compared.
CREATE FUNCTION "compact_number"("number" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace("fold_search"("number"), '[^a-z0-9\u00aa-\U0010ffff]+', '', 'g');--> statement-breakpoint
CREATE INDEX "products_compact_numbers" ON "products" USING btree (compact_number("number")) WHERE "products"."deleted_at" is null;--> statement-breakpoint
-- Everything in which a part is found: its name, number, kind, the kind's other names and the names of its layers on the
-- home page, phone models, and last its description. The control character stands between the fields, as no word has it.
CREATE OR REPLACE FUNCTION "part_search_text"("name" text, "number" text, "description" text, "kind" text, "fits" text[])
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN "normalize_search"(
	"name" || E'\x1f' || "number" || E'\x1f' || "kind" || E'\x1f' || CASE "kind"
		WHEN 'Displays' THEN 'screen lcd oled cover glass'
		WHEN 'Batteries' THEN 'battery cell accumulator'
		WHEN 'Charging' THEN 'port coil charger'
		WHEN 'Cameras' THEN 'camera lens'
		WHEN 'Sound and haptics' THEN 'speaker motor vibration'
		WHEN 'Housing' THEN 'glass mid frame tray back cover rear'
		WHEN 'Boards' THEN 'logic board chip mainboard motherboard'
		WHEN 'Flexes and sensors' THEN 'ribbon cable'
		WHEN 'Fixings' THEN 'screw glue tape'
		ELSE ''
	END || E'\x1f' || array_to_string("fits", E'\x1f') || E'\x1f' || "description"
);--> statement-breakpoint
-- What is stored by these functions is written anew: a column that the database writes is dropped and added, as that
-- rewrites the table once.
ALTER TABLE "products" DROP COLUMN "search";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "search" text GENERATED ALWAYS AS
	("part_search_text"("name", "number", "description", "kind", "fits")) STORED;--> statement-breakpoint
CREATE INDEX "products_search_text" ON "products" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "products_search_letters" ON "products" USING gin ("search_letters"("search"));--> statement-breakpoint
CREATE INDEX "products_beyond_followers" ON "products" USING btree ("id") WHERE "search" ~ '[^\x1f-~£¥§©«®°±µ·»×÷α-ωа-яё]';--> statement-breakpoint
-- The names, which alone are compared by likeness.
CREATE INDEX "products_names" ON "products" USING gin (split_part("search", E'\x1f', 1) gin_trgm_ops);--> statement-breakpoint
CREATE STATISTICS "products_words"
	ON (CASE WHEN "deleted_at" IS NULL THEN string_to_array(translate("search", E'\x1f', ' '), ' ') END) FROM "products";--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"(
	' ' || "product_name" || E' \x1f ' || "name" || E' \x1f ' || "email" || E' \x1f ' || coalesce("reference", '') || E' \x1f '
	|| translate("address", E'\n', ' ') || E' \x1f ' || "phone" || E' \x1f ' || translate("phone", ' +-()', '')
)) STORED;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "search";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"("name" || ' ' || "email")) STORED;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE STATISTICS "users_words" ON (CASE WHEN "deleted_at" IS NULL THEN string_to_array("search", ' ') END) FROM "users";--> statement-breakpoint
DROP INDEX "products_models";--> statement-breakpoint
CREATE INDEX "products_models" ON "products" USING gin ("search_models"("fits"));--> statement-breakpoint
TRUNCATE "phone_models";--> statement-breakpoint
INSERT INTO "phone_models" SELECT DISTINCT unnest("search_models"("fits")) FROM "products" WHERE "fits" <> '{}';--> statement-breakpoint
-- As before, but that names are compared as searches have them: by the names as they are written, `5000mah` resembled
-- `4,500 mAh` more than `5,000 mAh`.
CREATE OR REPLACE FUNCTION "find_similar_parts"("value" text) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE sql STABLE PARALLEL SAFE SET pg_trgm.word_similarity_threshold TO 0.35
BEGIN ATOMIC
	WITH "named" AS (
		SELECT "products"."id", word_similarity("value", split_part("products"."search", E'\x1f', 1)) AS "score"
		FROM "products"
		WHERE "value" <% split_part("products"."search", E'\x1f', 1) AND "products"."deleted_at" IS NULL LIMIT 2000
	), "models" AS (
		SELECT "phone_models"."model",
			greatest(similarity("value", "phone_models"."model"), word_similarity("value", "phone_models"."model") - 0.1)::real AS "score"
		FROM "phone_models" WHERE "value" <% "phone_models"."model" ORDER BY 2 DESC, 1 LIMIT 20
	), "fitting" AS (
		SELECT "products"."id", "models"."score"
		FROM "models" JOIN "products" ON "search_models"("products"."fits") @> ARRAY["models"."model"]
		WHERE "models"."score" >= 0.35 AND "products"."deleted_at" IS NULL LIMIT 2000
	)
	SELECT "found"."id", max("found"."score")
	FROM (SELECT * FROM "named" WHERE "named"."score" >= 0.4 UNION ALL SELECT * FROM "fitting") AS "found"
	GROUP BY "found"."id"
	ORDER BY 2 DESC, 1;
END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "find_nearer_names"("value" text, "bound" real) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE plpgsql SET pg_trgm.word_similarity_threshold TO 0.4 AS $$
BEGIN
	PERFORM set_config('pg_trgm.word_similarity_threshold', ("bound" + 0.001)::text, true);
	RETURN QUERY SELECT "products"."id", word_similarity("value", split_part("products"."search", E'\x1f', 1)) FROM "products"
	WHERE "value" <% split_part("products"."search", E'\x1f', 1) AND "products"."deleted_at" IS NULL LIMIT 2000;
END $$;
