-- By hand: by these functions' results parts are found, so they are no columns of schema.ts (see there).
-- The phone models of a part as searches have them.
CREATE FUNCTION "search_models"("fits" text[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT "normalize_search"("model") FROM unnest("fits") AS "model");--> statement-breakpoint
CREATE FUNCTION "search_models_text"("fits" text[]) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_string("search_models"("fits"), E'\x1f');--> statement-breakpoint
CREATE INDEX "products_models" ON "products" USING gin ("search_models"("fits"));--> statement-breakpoint
CREATE INDEX "products_models_text" ON "products" USING gin ("search_models_text"("fits") gin_trgm_ops);--> statement-breakpoint
-- Parts on sale with words like those of a text in their names or phone models, the most similar first. Two letters of a
-- short model that change places leave less than those of a name. Of very many that resemble it any two thousand are
-- compared. The threshold belongs to the call alone, so that it holds behind a pooler.
CREATE OR REPLACE FUNCTION "find_similar_parts"("value" text) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE sql STABLE PARALLEL SAFE SET pg_trgm.word_similarity_threshold TO 0.35
BEGIN ATOMIC
	SELECT "compared"."id", greatest("compared"."by_name", "compared"."by_model")
	FROM (
		SELECT "products"."id", word_similarity("value", lower("products"."name")) AS "by_name",
			(SELECT max(greatest(similarity("value", "model"), word_similarity("value", "model") - 0.1))
				FROM unnest("search_models"("products"."fits")) AS "model")::real AS "by_model"
		FROM "products"
		WHERE ("value" <% lower("products"."name") OR "value" <% "search_models_text"("products"."fits"))
			AND "products"."deleted_at" IS NULL LIMIT 2000
	) AS "compared"
	WHERE "compared"."by_name" >= 0.4 OR "compared"."by_model" >= 0.35
	ORDER BY 2 DESC, 1;
END;
