import { type Database, withOwnConnection } from './connection.ts';

/** PostgreSQL plans for a table that was never analyzed as if it had so many pages, 8 kB each. */
const ASSUMED_PAGES = 10;

/**
 * Analyzes the searched tables, which PostgreSQL does by itself only after a tenth of a table has changed: after an
 * upgrade has rewritten tables it would know nothing of them, and its list of common words counts only if it was made
 * since the server's start (docs/decisions/0101). Some seconds among millions of rows. Safe to repeat.
 *
 * Small tables are left out. For an empty table that was analyzed PostgreSQL plans sequential scans, also for its own
 * checks of foreign keys, and each connection keeps them while the table grows.
 */
export const analyzeTables = (database: Pick<Database, 'connection' | 'pool'>): Promise<void> =>
  withOwnConnection(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest(array['products', 'users', 'orders']) as name
       where pg_relation_size(name::regclass) > ${ASSUMED_PAGES} * current_setting('block_size')::int`,
    );
    for (const { name } of rows) await client.query(`analyze ${name}`);
  });
