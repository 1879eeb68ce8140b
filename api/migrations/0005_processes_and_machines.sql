CREATE SEQUENCE "public"."change_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
-- Not logged: counts of a minute are not worth a write to the disk, and begin anew after a crash and on a standby.
CREATE UNLOGGED TABLE "rate_counts" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE "identity"."rate_limit" SET UNLOGGED;
