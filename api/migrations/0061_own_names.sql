CREATE TABLE "batch_aliases" (
	"user_id" uuid NOT NULL,
	"folded" text NOT NULL,
	"alias" text NOT NULL,
	"product_id" uuid NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "batch_aliases_user_id_folded_pk" PRIMARY KEY("user_id","folded")
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "also_known_as" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "batch_aliases" ADD CONSTRAINT "batch_aliases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_aliases" ADD CONSTRAINT "batch_aliases_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "batch_aliases_part" ON "batch_aliases" USING btree ("user_id","product_id");--> statement-breakpoint
CREATE INDEX "products_also_known_as" ON "products" USING gin ("also_known_as");--> statement-breakpoint
-- By hand:
-- Other names are searched and rated as models are. A function reads the column, so it is dropped and comes again.
DO $$
DECLARE
	"similar" text := pg_get_functiondef('find_similar_parts(text)'::regprocedure);
BEGIN
	DROP FUNCTION "find_similar_parts"(text);
	ALTER TABLE "products" DROP COLUMN "search";
	ALTER TABLE "products" ADD COLUMN "search" text GENERATED ALWAYS AS ("part_search_text"(
		"name", "number", "description", "kind", "also_known_as" || "fits" || "attribute_texts"("attributes")
	)) STORED;
	EXECUTE "similar";
END $$;--> statement-breakpoint
CREATE INDEX "products_search_text" ON "products" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "products_names" ON "products" USING gin (split_part("search", E'\x1f', 1) gin_trgm_ops);
