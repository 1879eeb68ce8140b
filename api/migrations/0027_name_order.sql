-- By hand:
-- Names in the order in which people read them: without regard to case, accented letters beside plain ones, and numbers by
-- their value. Names that are equal so far differ by their bytes, so that a page ends at one place. The rules are ICU's,
-- as those of the operating system know no numbers.
CREATE COLLATION "name_order" (provider = icu, locale = 'und-u-kn-true');--> statement-breakpoint
DROP INDEX "products_by_name";--> statement-breakpoint
CREATE INDEX "products_by_name" ON "products" USING btree ("name" collate "name_order","id") WHERE "products"."deleted_at" is null;
