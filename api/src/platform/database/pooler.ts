import pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import type { Database } from './connection.ts';
import { withSetupLock } from './migrate.ts';

const bounds = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;
/** For a session to end. */
const END_TIMEOUT_MS = 1_000;

/**
 * Has the server bound every statement that comes through the pooler, as settings of the shop's own role in this
 * database, which each new session has from its beginning. A pooler in transaction mode leaves no other way: it refuses
 * settings at the start of a connection, and one that is made later would be somebody else's with the next transaction.
 *
 * Sessions from before that nobody uses are ended, so that the pooler opens new ones. Safe to repeat, and at the same
 * time from several processes.
 */
export async function boundStatementsOfRole(
  database: Database,
  { statementTimeoutMs }: Pick<Config, 'statementTimeoutMs'>,
): Promise<void> {
  const { pool } = database;
  const wanted = bounds.map((name) => `${name}=${statementTimeoutMs}`);
  // Two that change one role at the same moment would fail.
  await withSetupLock(database, async (client) => {
    const { role, name, settings } = await readRole(pool);
    if (wanted.every((setting) => settings.includes(setting))) return;
    for (const bound of bounds) {
      await pool.query(
        `alter role current_user in database ${pg.escapeIdentifier(name)} set ${bound} = ${statementTimeoutMs}`,
      );
    }
    await endIdleSessions(client, role);
  });
}

/** Whom the pooler logs in as, which may be another role than the direct address has, and its settings here. */
async function readRole(pool: pg.Pool): Promise<{ role: string; name: string; settings: string[] }> {
  const { rows } = await pool.query<{ role: string; name: string; settings: string[] }>(
    `select current_user as role, current_database() as name, coalesce((
       select setconfig from pg_db_role_setting
       where setrole = (select oid from pg_roles where rolname = current_user)
         and setdatabase = (select oid from pg_database where datname = current_database())), '{}') as settings`,
  );
  return rows[0] ?? { role: '', name: '', settings: [] };
}

/** Those of the pooler that no client has just now. Another role may not do so; they then live out their time. */
async function endIdleSessions(client: pg.Client, role: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, $2) from pg_stat_activity
     where usename = $1 and usename = current_user and datname = current_database()
       and application_name = 'parts-forge' and state = 'idle' and pid <> pg_backend_pid()`,
    [role, END_TIMEOUT_MS],
  );
}
