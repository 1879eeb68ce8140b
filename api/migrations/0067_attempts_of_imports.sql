ALTER TABLE "product_imports" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "product_imports" ADD COLUMN "next_attempt_at" timestamp (3) with time zone;