DROP INDEX "orders_status";--> statement-breakpoint
DROP INDEX "orders_closed_as";--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","created_at","id","total_cents","batch") WHERE "orders"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "orders_closed_as" ON "orders" USING btree ("closed","created_at","id","batch") WHERE "orders"."closed_at" is not null;