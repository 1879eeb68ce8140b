CREATE TABLE "product_imports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"columns" jsonb NOT NULL,
	"notes" jsonb NOT NULL,
	"lines" jsonb NOT NULL,
	"problems" jsonb NOT NULL,
	"counts" jsonb NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"left_out" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp (3) with time zone
);
