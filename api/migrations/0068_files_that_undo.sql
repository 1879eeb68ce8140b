ALTER TABLE "product_imports" ADD COLUMN "undoes" uuid;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "kinds" jsonb DEFAULT '[]'::jsonb NOT NULL;