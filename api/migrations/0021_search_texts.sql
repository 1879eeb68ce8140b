-- By hand: what orders and users are found by is written into their rows, by the same function that it was computed by for
-- each row that a search looked at. They are no columns of schema.ts: see there.
DROP INDEX "orders_search";--> statement-breakpoint
DROP INDEX "users_search";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"(
	' ' || "product_name" || E' \x1f ' || "name" || E' \x1f ' || "email" || E' \x1f ' || coalesce("reference", '') || E' \x1f '
	|| translate("address", E'\n', ' ') || E' \x1f ' || "phone" || E' \x1f ' || translate("phone", ' +-()', '')
)) STORED;--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search" text GENERATED ALWAYS AS ("normalize_search"("name" || ' ' || "email")) STORED;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search" gin_trgm_ops);
