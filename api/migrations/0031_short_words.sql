-- By hand:
-- Words of less than three letters or digits are found where a word begins, which the index of the texts knows.
DROP INDEX "products_search_letters";--> statement-breakpoint
DROP INDEX "products_beyond_followers";--> statement-breakpoint
DROP FUNCTION "search_letters";
