CREATE TABLE "product_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "stock_notes" (
	"entry_id" uuid PRIMARY KEY NOT NULL,
	"note" text NOT NULL
);
