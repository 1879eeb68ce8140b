-- By hand:
-- Matches are counted to 1,000, which costs little for common words, too, so nothing reads the list of them any more.
DROP FUNCTION "list_common_words";--> statement-breakpoint
DROP FUNCTION "find_nearer_names";--> statement-breakpoint
DROP STATISTICS "products_words";--> statement-breakpoint
DROP STATISTICS "users_words";--> statement-breakpoint
-- The job that analyzed the searched tables is gone. PostgreSQL does so by itself after a tenth of a table has changed, but
-- knows nothing of columns that an upgrade has just added: so the tables are analyzed here, once. Empty ones must not be:
-- PostgreSQL would plan sequential scans for them, and each connection keeps such a plan while the table grows.
DO $$
DECLARE
	"searched" regclass;
BEGIN
	IF to_regclass('jobs.schedule') IS NOT NULL THEN
		DELETE FROM "jobs"."schedule" WHERE "name" = 'analyze-tables';
	END IF;
	FOREACH "searched" IN ARRAY ARRAY['products', 'users', 'orders']::regclass[] LOOP
		IF pg_relation_size("searched") > 10 * current_setting('block_size')::int THEN
			EXECUTE format('ANALYZE %s', "searched");
		END IF;
	END LOOP;
END $$;
