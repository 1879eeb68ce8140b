-- By hand:
-- Orders from before they kept the facts of their papers have those of the invoice, else of the profile.
UPDATE "orders" SET "facts" = jsonb_build_object(
	'company', coalesce("paper"."buyer" ->> 'company', "users"."company"),
	'taxNumber', coalesce("paper"."buyer" ->> 'taxNumber', "users"."tax_number"),
	'billingAddress', coalesce(nullif("paper"."buyer" ->> 'address', "orders"."address"), "users"."billing_address"),
	'country', "users"."country", 'tax', "users"."tax", 'taxReason', "users"."tax_reason",
	'partNumber', "products"."number", 'priceBreaks', "products"."price_breaks")
FROM "orders" AS "old" JOIN "users" ON "users"."id" = "old"."user_id" JOIN "products" ON "products"."id" = "old"."product_id"
	LEFT JOIN "invoices" AS "paper" ON "paper"."order_id" = "old"."id" AND "paper"."series" = 'invoice'
WHERE "orders"."id" = "old"."id" AND "orders"."facts" IS NULL
	AND NOT ("old"."status" = 'due' AND "old"."email" LIKE '%@erased.invalid');--> statement-breakpoint
-- Carriers and numbers of an order's parcels, for its search text.
ALTER TABLE "orders" ADD COLUMN "parcels" text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE "orders" SET "parcels" = "sent"."parcels" FROM (
	SELECT "order_id", string_agg(concat_ws(' ', "carrier", "number", regexp_replace("number", '[ .-]', '', 'g')), E' \x1f ' ORDER BY "id") AS "parcels"
	FROM "shipments" GROUP BY "order_id"
) AS "sent" WHERE "sent"."order_id" = "orders"."id";--> statement-breakpoint
CREATE FUNCTION "write_parcels"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "orders" SET "parcels" = coalesce((
		SELECT string_agg(concat_ws(' ', "carrier", "number", regexp_replace("number", '[ .-]', '', 'g')), E' \x1f ' ORDER BY "shipments"."id")
		FROM "shipments" WHERE "order_id" = "orders"."id"), '')
	WHERE "orders"."id" = coalesce(NEW."order_id", OLD."order_id");
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "shipments_parcels" AFTER INSERT OR UPDATE OR DELETE ON "shipments"
	FOR EACH ROW EXECUTE FUNCTION "write_parcels"();--> statement-breakpoint
ALTER TABLE "orders" DROP COLUMN "search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"(
	' ' || "product_name" || E' \x1f ' || "name" || E' \x1f ' || "email" || E' \x1f ' || coalesce("reference", '') || E' \x1f '
	|| translate("address", E'\n', ' ') || E' \x1f ' || "phone" || E' \x1f ' || translate("phone", ' +-()', '') || E' \x1f '
	|| coalesce("facts" ->> 'company', '') || E' \x1f ' || coalesce("facts" ->> 'taxNumber', '') || E' \x1f '
	|| translate(coalesce("facts" ->> 'billingAddress', ''), E'\n', ' ') || E' \x1f ' || "parcels"
)) STORED;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "search";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"(
	"name" || ' ' || "email" || ' ' || "company" || ' ' || "tax_number" || ' ' || translate("billing_address", E'\n', ' ')
)) STORED;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
-- Attributes are searched and rated as models are.
CREATE FUNCTION "attribute_texts"("attributes" jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(SELECT ("each" ->> 'name') || ' ' || ("each" ->> 'value') FROM jsonb_array_elements("attributes") AS "each");--> statement-breakpoint
-- The function reads the column, so it is dropped and comes again as it was.
DO $$
DECLARE
	"similar" text := pg_get_functiondef('find_similar_parts(text)'::regprocedure);
BEGIN
	DROP FUNCTION "find_similar_parts"(text);
	ALTER TABLE "products" DROP COLUMN "search";
	ALTER TABLE "products" ADD COLUMN "search" text GENERATED ALWAYS AS
		("part_search_text"("name", "number", "description", "kind", "fits" || "attribute_texts"("attributes"))) STORED;
	EXECUTE "similar";
END $$;--> statement-breakpoint
CREATE INDEX "products_search_text" ON "products" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "products_names" ON "products" USING gin (split_part("search", E'\x1f', 1) gin_trgm_ops);
