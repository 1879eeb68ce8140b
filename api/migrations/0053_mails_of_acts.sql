ALTER TABLE "mail_outbox" ADD COLUMN "also" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD COLUMN "act_id" uuid;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "replaces" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_outbox_act" ON "mail_outbox" USING btree ("act_id","user_id","kind") WHERE "mail_outbox"."state" = 'waiting' and "mail_outbox"."attempts" = 0;