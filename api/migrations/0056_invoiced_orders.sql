CREATE TABLE "invoiced_orders" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"invoice_id" uuid NOT NULL
);
--> statement-breakpoint
DROP INDEX "invoices_one_each";--> statement-breakpoint
ALTER TABLE "invoiced_orders" ADD CONSTRAINT "invoiced_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoiced_orders" ADD CONSTRAINT "invoiced_orders_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoiced_orders_invoice" ON "invoiced_orders" USING btree ("invoice_id");--> statement-breakpoint
-- By hand: each paper that exists stays that of its one order.
INSERT INTO "invoiced_orders" SELECT "order_id", "id" FROM "invoices" WHERE "series" = 'invoice';
--> statement-breakpoint
-- By hand: like the papers themselves.
CREATE TRIGGER "invoiced_orders_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "invoiced_orders"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
ALTER TABLE "invoiced_orders" ENABLE ALWAYS TRIGGER "invoiced_orders_append_only";
