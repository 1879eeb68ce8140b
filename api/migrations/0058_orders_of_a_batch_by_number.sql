DROP INDEX "orders_batch";--> statement-breakpoint
CREATE INDEX "orders_batch" ON "orders" USING btree ("batch","number") WHERE "orders"."batch" is not null;