-- By hand:
CREATE FUNCTION "models_of_kind"("kind" text, "fits" text[]) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT array(SELECT "kind" || ': ' || "model" FROM unnest("fits") AS "model") $$;--> statement-breakpoint
CREATE INDEX "products_models_of_kind" ON "products" USING gin (models_of_kind("kind", "fits")) WITH (fastupdate=false) WHERE "products"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "products_any_number" ON "products" USING btree ("number");
