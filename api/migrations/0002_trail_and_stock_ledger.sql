CREATE TABLE "trail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"event" text NOT NULL,
	"topic" text NOT NULL,
	"actor" text NOT NULL,
	"actor_id" uuid,
	"request_id" uuid NOT NULL,
	"order_id" uuid,
	"product_id" uuid,
	"user_id" uuid,
	"payment_id" text,
	"stock_change" integer,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "trail_actor_known" CHECK (("trail"."actor" in ('user', 'admin')) = ("trail"."actor_id" is not null)),
	CONSTRAINT "trail_stock" CHECK ("trail"."stock_change" is null or "trail"."product_id" is not null)
);
--> statement-breakpoint
-- Nothing moves a stock between here and the commit, so that each first line is exact.
LOCK TABLE "products" IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
-- True for the orders that are there and false for those to come, without writing any of them anew.
ALTER TABLE "orders" ADD COLUMN "before_ledger" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "before_ledger" SET DEFAULT false;--> statement-breakpoint
DROP INDEX "orders_product";--> statement-breakpoint
CREATE INDEX "trail_newest" ON "trail" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "trail_topic" ON "trail" USING btree ("topic","created_at","id");--> statement-breakpoint
CREATE INDEX "trail_actor" ON "trail" USING btree ("actor_id","created_at","id") WHERE "trail"."actor_id" is not null;--> statement-breakpoint
CREATE INDEX "trail_order" ON "trail" USING btree ("order_id","created_at","id") WHERE "trail"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "trail_user" ON "trail" USING btree ("user_id","created_at","id") WHERE "trail"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "trail_payment" ON "trail" USING btree ("payment_id") WHERE "trail"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "trail_product" ON "trail" USING btree ("product_id","id","stock_change") WHERE "trail"."product_id" is not null;--> statement-breakpoint
CREATE INDEX "orders_stock" ON "orders" USING btree ("product_id","id","quantity") WHERE not "orders"."before_ledger";
--> statement-breakpoint
-- The first line of every ledger, of deleted parts too, as pieces may still come back to them. The ids rise with time
-- (UUIDv7), as the shop's own do.
INSERT INTO "trail" ("id", "event", "topic", "actor", "request_id", "product_id", "stock_change", "after")
SELECT overlay("random" PLACING "time" FROM 1 FOR 15)::uuid, 'stock-initial', 'stock', 'system', "request",
	"product", "quantity", jsonb_build_object('quantity', "quantity")
FROM (
	SELECT "id" AS "product", "quantity", gen_random_uuid()::text AS "random" FROM "products"
) AS "stocks", (
	SELECT gen_random_uuid() AS "request",
		regexp_replace(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0'), '(.{8})', '\1-') || '-7' AS "time"
) AS "upgrade";
--> statement-breakpoint
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'entries of "%" are neither changed nor removed', TG_TABLE_NAME
		USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER "trail_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trail"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Also where a session plays a replica, which skips ordinary triggers.
ALTER TABLE "trail" ENABLE ALWAYS TRIGGER "trail_append_only";
