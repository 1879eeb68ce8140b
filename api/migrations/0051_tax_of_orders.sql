ALTER TABLE "orders" DROP CONSTRAINT "orders_total";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "untaxed_rate" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "facts" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "tax_to_check" jsonb;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_total" CHECK (total_cents = quantity::bigint * price_cents - div(2 * untaxed_rate * (quantity::bigint * price_cents)::numeric + 10000 + untaxed_rate, 2 * (10000 + untaxed_rate))::bigint);--> statement-breakpoint
UPDATE "users" SET "tax_number" = upper(regexp_replace("tax_number", '[\s.‐‑‒–—-]', '', 'g')) WHERE "tax_number" <> '';--> statement-breakpoint
UPDATE "orders" SET "facts" = jsonb_build_object(
  'company', "users"."company", 'taxNumber', "users"."tax_number", 'billingAddress', "users"."billing_address",
  'country', "users"."country", 'tax', "users"."tax", 'taxReason', "users"."tax_reason",
  'partNumber', "products"."number", 'priceBreaks', "products"."price_breaks")
FROM "users", "products"
WHERE "users"."id" = "orders"."user_id" AND "products"."id" = "orders"."product_id"
  AND "orders"."status" = 'due' AND "orders"."closed_at" IS NULL;
