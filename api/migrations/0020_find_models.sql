CREATE TABLE "phone_models" (
	"model" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- By hand: by this function's results parts are found, so they are no column of schema.ts (see there).
-- The phone models of a part as searches have them.
CREATE FUNCTION "search_models"("fits" text[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT "normalize_search"("model") FROM unnest("fits") AS "model");--> statement-breakpoint
CREATE INDEX "products_models" ON "products" USING gin ("search_models"("fits"));--> statement-breakpoint
INSERT INTO "phone_models" SELECT DISTINCT unnest("search_models"("fits")) FROM "products" WHERE "fits" <> '{}';--> statement-breakpoint
CREATE INDEX "phone_models_similar" ON "phone_models" USING gin ("model" gin_trgm_ops);--> statement-breakpoint
-- In their order, so that two parts that are written at the same moment do not wait for each other in turn.
CREATE FUNCTION "note_phone_models"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "phone_models" SELECT DISTINCT "model" FROM unnest("search_models"(NEW."fits")) AS "model" ORDER BY 1
	ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "products_models_new" AFTER INSERT ON "products" FOR EACH ROW
	WHEN (NEW."fits" <> '{}')
	EXECUTE FUNCTION "note_phone_models"();
--> statement-breakpoint
CREATE TRIGGER "products_models_changed" AFTER UPDATE OF "fits" ON "products" FOR EACH ROW
	WHEN (NEW."fits" <> '{}' AND NEW."fits" IS DISTINCT FROM OLD."fits")
	EXECUTE FUNCTION "note_phone_models"();
--> statement-breakpoint
-- Parts on sale with words like those of a text in their names, or for one of the phone models most like it, the most
-- similar first. Two letters of a short model that change places leave less than those of a name. Of very many parts any
-- two thousand are compared. The threshold belongs to the call alone, so that it holds behind a pooler.
CREATE OR REPLACE FUNCTION "find_similar_parts"("value" text) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE sql STABLE PARALLEL SAFE SET pg_trgm.word_similarity_threshold TO 0.35
BEGIN ATOMIC
	WITH "named" AS (
		SELECT "products"."id", word_similarity("value", lower("products"."name")) AS "score"
		FROM "products"
		WHERE "value" <% lower("products"."name") AND "products"."deleted_at" IS NULL LIMIT 2000
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
