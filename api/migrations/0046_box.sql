ALTER TABLE "orders" ADD COLUMN "back_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "unsure_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sent_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "orders" SET "back_pieces" = "refunded_pieces" WHERE "refunded_pieces" > 0;--> statement-breakpoint
UPDATE "orders" SET "sent_pieces" = least("quantity", "parcels"."pieces"), "unsure_pieces" = "refunded_pieces"
	FROM (
		SELECT "order_id", sum(coalesce("quantity", 2147483647)) AS "pieces" FROM "shipments" GROUP BY "order_id"
	) "parcels" WHERE "parcels"."order_id" = "orders"."id";--> statement-breakpoint
-- Release 1.0.0 knew no parcels, and accepted meant sent. What was accepted in the last week may still be packed.
UPDATE "orders" SET "sent_pieces" = "quantity"
	WHERE "status" = 'paid' AND "sent_pieces" = 0 AND "updated_at" < now() - interval '7 days';--> statement-breakpoint
CREATE INDEX "orders_to_send" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'paid' and "orders"."closed_at" is null and not "orders"."disputed"
    and greatest("orders"."refund_cents", "orders"."settled_cents" - "orders"."unassigned_cents") < "orders"."total_cents"
    and "orders"."sent_pieces" + "orders"."back_pieces" < "orders"."quantity";
