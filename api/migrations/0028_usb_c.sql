-- By hand:
-- Buyers say Type-C, catalogues USB-C: a part that has one of them is found by both.
CREATE FUNCTION "usb_c_words"("value" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN "value" ~* '\y(usb|type)[^a-z0-9]?c\y' THEN ' usbc typec' ELSE '' END;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "part_search_text"("name" text, "number" text, "description" text, "kind" text, "fits" text[])
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN "normalize_search"(
	"name" || E'\x1f' || "number" || E'\x1f' || "kind" || E'\x1f' || CASE "kind"
		WHEN 'Displays' THEN 'screen lcd oled cover glass'
		WHEN 'Batteries' THEN 'battery cell accumulator'
		WHEN 'Charging' THEN 'port coil charger'
		WHEN 'Cameras' THEN 'camera lens'
		WHEN 'Sound and haptics' THEN 'speaker motor vibration'
		WHEN 'Housing' THEN 'glass mid frame tray back cover rear'
		WHEN 'Boards' THEN 'logic board chip mainboard motherboard'
		WHEN 'Flexes and sensors' THEN 'ribbon cable'
		WHEN 'Fixings' THEN 'screw glue tape'
		ELSE ''
	END || "usb_c_words"("name") || E'\x1f' || array_to_string("fits", E'\x1f')
	|| E'\x1f' || "description" || "usb_c_words"("description")
);--> statement-breakpoint
-- Parts that are there get theirs now: the database writes the column again.
UPDATE "products" SET "name" = "name" WHERE "usb_c_words"("name") || "usb_c_words"("description") <> '';
