ALTER TABLE "access_tokens" ALTER COLUMN "expires_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "scopes" text[];--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "hint" text;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "trail" ADD COLUMN "key_id" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "access_tokens_key" ON "access_tokens" USING btree ("key_id") WHERE "access_tokens"."key_id" is not null;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_end" CHECK ("access_tokens"."expires_at" is not null or "access_tokens"."key_id" is not null);