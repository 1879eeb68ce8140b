CREATE TABLE "low_stock_notices" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"order_id" uuid,
	"product_id" uuid,
	"amount_cents" bigint,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "mail_outbox_ended" CHECK (("mail_outbox"."state" = 'waiting') = ("mail_outbox"."ended_at" is null))
);
--> statement-breakpoint
CREATE INDEX "mail_outbox_due" ON "mail_outbox" USING btree ("next_attempt_at") WHERE "mail_outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "mail_outbox_newest" ON "mail_outbox" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "mail_outbox_user" ON "mail_outbox" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_outbox_expiring" ON "mail_outbox" USING btree ("order_id") WHERE "mail_outbox"."kind" = 'order-expiring';--> statement-breakpoint
-- Parts whose stock was low before the shop could mail are no news.
INSERT INTO "low_stock_notices" ("product_id") SELECT "id" FROM "products" WHERE "deleted_at" IS NULL AND "quantity" < "minimum_order";
