-- A picture may be at several hosts. Those that are there are in the folder of this server.
CREATE TABLE "image_addresses" (
	"address" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incoming_images" (
	"name" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "image_addresses" ADD CONSTRAINT "image_addresses_hash_images_hash_fk" FOREIGN KEY ("hash") REFERENCES "public"."images"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "image_addresses_hash" ON "image_addresses" USING btree ("hash");--> statement-breakpoint
INSERT INTO "image_addresses" ("address", "hash", "created_at")
SELECT '/images/' || "hash" || '-1280.webp', "hash", "created_at" FROM "images";
