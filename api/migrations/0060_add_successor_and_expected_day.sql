ALTER TABLE "products" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "expected_at" text;