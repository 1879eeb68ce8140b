ALTER TABLE "products" ADD COLUMN "available_until" integer;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "delivery_days" integer;