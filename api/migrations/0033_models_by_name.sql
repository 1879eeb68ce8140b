-- The statements that write parts note their models now. A model has its name as parts have it, so that the index on
-- "fits" finds its parts.
DROP TRIGGER "products_models_new" ON "products";--> statement-breakpoint
DROP TRIGGER "products_models_changed" ON "products";--> statement-breakpoint
DROP FUNCTION "note_phone_models"();--> statement-breakpoint
DROP INDEX "products_models";--> statement-breakpoint
TRUNCATE "phone_models";--> statement-breakpoint
ALTER TABLE "phone_models" DROP CONSTRAINT "phone_models_pkey";--> statement-breakpoint
ALTER TABLE "phone_models" ADD COLUMN "name" text PRIMARY KEY NOT NULL;--> statement-breakpoint
INSERT INTO "phone_models" ("name", "model")
	SELECT DISTINCT "fit", "normalize_search"("fit") FROM "products", unnest("fits") AS "fit";--> statement-breakpoint
-- As in 0026, but that parts are found by the names of models.
CREATE OR REPLACE FUNCTION "find_similar_parts"("value" text) RETURNS TABLE ("id" uuid, "similarity" real)
LANGUAGE sql STABLE PARALLEL SAFE SET pg_trgm.word_similarity_threshold TO 0.35
BEGIN ATOMIC
	WITH "named" AS (
		SELECT "products"."id", word_similarity("value", split_part("products"."search", E'\x1f', 1)) AS "score"
		FROM "products"
		WHERE "value" <% split_part("products"."search", E'\x1f', 1) AND "products"."deleted_at" IS NULL LIMIT 2000
	), "models" AS (
		SELECT "phone_models"."name",
			greatest(similarity("value", "phone_models"."model"), word_similarity("value", "phone_models"."model") - 0.1)::real AS "score"
		FROM "phone_models" WHERE "value" <% "phone_models"."model" ORDER BY 2 DESC, 1 LIMIT 20
	), "fitting" AS (
		SELECT "products"."id", "models"."score"
		FROM "models" JOIN "products" ON "products"."fits" @> ARRAY["models"."name"]
		WHERE "models"."score" >= 0.35 AND "products"."deleted_at" IS NULL LIMIT 2000
	)
	SELECT "found"."id", max("found"."score")
	FROM (SELECT * FROM "named" WHERE "named"."score" >= 0.4 UNION ALL SELECT * FROM "fitting") AS "found"
	GROUP BY "found"."id"
	ORDER BY 2 DESC, 1;
END;
--> statement-breakpoint
DROP FUNCTION "search_models"(text[]);
--> statement-breakpoint
-- Results and progress of the consistency check.
UPDATE "settings" SET "name" = 'consistency' WHERE "name" = 'books';--> statement-breakpoint
UPDATE "settings" SET "name" = 'consistency_provider' WHERE "name" = 'books_provider';
