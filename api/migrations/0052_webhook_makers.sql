ALTER TABLE "webhooks" ADD COLUMN "made_by" uuid;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The trail knows who made a webhook, but of those from before it. One whose maker is no administrator any more ends now.
UPDATE "webhooks" SET "made_by" = "users"."id",
	"state" = CASE WHEN "users"."role" = 'admin' AND "users"."deleted_at" IS NULL THEN "webhooks"."state" ELSE 'off' END
FROM "trail" JOIN "users" ON "users"."id" = "trail"."actor_id"
WHERE "trail"."topic" = 'people' AND "trail"."event" = 'webhook-made' AND "trail"."after" ->> 'webhook' = "webhooks"."id"::text;
