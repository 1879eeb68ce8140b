import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { type Database, exemptFromTimeouts } from './connection.ts';

/** One number for the advisory lock that lets only one process migrate or seed at a time. */
const SETUP_LOCK = 7_162_534;

/**
 * Brings the tables to the present version. Safe to run at the same time from several processes: they take turns.
 * @throws the database's own error; the database is then as it was before the failing migration
 */
export function migrate(database: Database): Promise<void> {
  return withSetupLock(database, async (client) => {
    await applyMigrations(drizzle(client), {
      migrationsFolder: fileURLToPath(new URL('../../../migrations', import.meta.url)),
      migrationsSchema: 'public',
      migrationsTable: 'migrations',
    });
  });
}

/**
 * Runs `work` on one connection while no other process of the shop does set-up work on this database. It may take as
 * long as it takes.
 */
export async function withSetupLock<T>(
  database: Database,
  work: (client: import('pg').PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  try {
    await exemptFromTimeouts(client);
    await client.query('set client_min_messages = warning');
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    return await work(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK]).catch(() => {});
    client.release(true);
  }
}
