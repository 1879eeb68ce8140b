ALTER TABLE "invoices" DROP CONSTRAINT "invoices_total";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "day" date;--> statement-breakpoint
-- Of existing papers, on which nothing else changes.
ALTER TABLE "invoices" DISABLE TRIGGER "invoices_append_only";--> statement-breakpoint
UPDATE "invoices" SET "day" = ("issued_at" AT TIME ZONE "time_zone")::date;--> statement-breakpoint
ALTER TABLE "invoices" ENABLE ALWAYS TRIGGER "invoices_append_only";--> statement-breakpoint
ALTER TABLE "invoices" ALTER COLUMN "day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "company" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "billing_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "country" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "invoices_day" ON "invoices" USING btree ("day","series","total_cents");--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_total" CHECK ("invoices"."total_cents" > 0 and "invoices"."tax_cents" between 0 and "invoices"."total_cents");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_tax" CHECK (("users"."tax" = 'standard') = ("users"."tax_reason" = ''));
