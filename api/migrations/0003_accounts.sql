CREATE TABLE "identity"."login_try" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"account" "bytea" NOT NULL,
	"wrong" integer DEFAULT 0 NOT NULL,
	"under_way" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp (3) with time zone,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity"."two_factor" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"user_id" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "identity"."used_code" (
	"user_id" text NOT NULL,
	"code" text NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "used_code_user_id_code_pk" PRIMARY KEY("user_id","code")
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "signed_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."session" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."user" ADD COLUMN "two_factor_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "identity"."two_factor" ADD CONSTRAINT "two_factor_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."used_code" ADD CONSTRAINT "used_code_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "login_try_account" ON "identity"."login_try" USING btree ("account");--> statement-breakpoint
CREATE INDEX "login_try_last" ON "identity"."login_try" USING btree ("last_at");--> statement-breakpoint
CREATE UNIQUE INDEX "two_factor_user" ON "identity"."two_factor" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "used_code_used_at" ON "identity"."used_code" USING btree ("used_at");--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "identity"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_session" ON "access_tokens" USING btree ("session_id");--> statement-breakpoint
-- Access tokens from before end with no session. They live for minutes, and a page renews one without being asked.
DELETE FROM "access_tokens";--> statement-breakpoint
-- A sign-in ends after 30 days in any case, those from before too.
UPDATE "identity"."session" SET "expires_at" = least("expires_at", "created_at" + interval '30 days');
