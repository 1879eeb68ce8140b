CREATE TABLE "scarce_products" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"minimum_orders" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "role" text DEFAULT 'user' NOT NULL;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "lacks_second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- By hand, before the constraint, which then looks at all of them at once.
INSERT INTO "scarce_products"
SELECT "id", "quantity"::float8 / "minimum_order" FROM "products"
WHERE "deleted_at" IS NULL AND "quantity" < "minimum_order" * 200::bigint;--> statement-breakpoint
ALTER TABLE "scarce_products" ADD CONSTRAINT "scarce_products_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scarce_products_scarcest" ON "scarce_products" USING btree ("minimum_orders","product_id");--> statement-breakpoint
-- By hand:
-- 200 is LOW_STOCK_MINIMUM_ORDERS. A part that has more pays for two comparisons, one that has fewer for a row.
CREATE FUNCTION "note_scarce_product"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."deleted_at" IS NULL AND NEW."quantity" < NEW."minimum_order" * 200::bigint THEN
		INSERT INTO "scarce_products" VALUES (NEW."id", NEW."quantity"::float8 / NEW."minimum_order")
		ON CONFLICT ("product_id") DO UPDATE SET "minimum_orders" = excluded."minimum_orders";
	ELSE
		DELETE FROM "scarce_products" WHERE "product_id" = NEW."id";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "products_scarce_new" AFTER INSERT ON "products" FOR EACH ROW
	WHEN (NEW."quantity" < NEW."minimum_order" * 200::bigint)
	EXECUTE FUNCTION "note_scarce_product"();
--> statement-breakpoint
CREATE TRIGGER "products_scarce_changed" AFTER UPDATE OF "quantity", "minimum_order", "deleted_at" ON "products" FOR EACH ROW
	WHEN ((NEW."quantity", NEW."minimum_order", NEW."deleted_at") IS DISTINCT FROM (OLD."quantity", OLD."minimum_order", OLD."deleted_at")
		AND (NEW."quantity" < NEW."minimum_order" * 200::bigint OR OLD."quantity" < OLD."minimum_order" * 200::bigint))
	EXECUTE FUNCTION "note_scarce_product"();

