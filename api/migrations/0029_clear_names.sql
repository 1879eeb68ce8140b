-- By hand:
-- Names that were given before direction overrides and invisible characters were refused lose them: they turned the sentence
-- around them about, and made one person look like another. Joiners stay, as some scripts and emoji need them. Where
-- nothing is left, the name is the address. Issued papers never change, and are printed without such characters.
CREATE FUNCTION "clear_name"("name" text, "otherwise" text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN coalesce(nullif(trim(regexp_replace("name",
	'[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]+', '', 'g')),
	''), "otherwise");--> statement-breakpoint
UPDATE "users" SET "name" = "clear_name"("name", "email") WHERE "clear_name"("name", "email") <> "name";--> statement-breakpoint
UPDATE "orders" SET "name" = "clear_name"("name", "email") WHERE "clear_name"("name", "email") <> "name";--> statement-breakpoint
UPDATE "reviews" SET "name" = "clear_name"("name", 'user') WHERE "clear_name"("name", 'user') <> "name";--> statement-breakpoint
DROP FUNCTION "clear_name";
