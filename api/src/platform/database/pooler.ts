import pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { type Database, plannerSettings } from './connection.ts';
import { withSetupLock } from './migrate.ts';

const bounds = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * A pooler gives clients its own number for cancelling, PostgreSQL its process id. Balancers such as
 * HAProxy pass both.
 */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { processID } = client as unknown as { processID: number };
  return (await readProcess(client)) !== processID;
}

/** In transaction mode, connections share or change processes. Session state does not last there. */
export async function sharesSessions(pool: pg.Pool): Promise<boolean> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    if (!(await isPooled(one))) return false;
    // Other traffic may change a connection's process; then too, none is ours alone.
    const [first, between, last] = [await readProcess(one), await readProcess(other), await readProcess(one)];
    return first === between || between === last || first !== last;
  } finally {
    one.release();
    other.release();
  }
}

async function readProcess(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id');
  return rows[0]?.id ?? 0;
}

type Limits = Pick<Config, 'statementTimeoutMs'>;

/**
 * A transaction-mode pooler refuses settings at startup, and later ones would leak to other clients, so the
 * role stores them. Call before anything uses the pooler; repeatable, also concurrently. Open sessions keep
 * their settings.
 */
export const boundStatementsOfRole = (database: Database, limits: Limits): Promise<void> =>
  withSetupLock(database, (client) => setBounds(client, limits));

/** For a pooler that logs in as another role. */
export const boundStatementsOfPooledRole = (database: Database, limits: Limits): Promise<void> =>
  withSetupLock(database, () => setBounds(database.pool, limits));

async function setBounds(server: pg.Client | pg.Pool, { statementTimeoutMs }: Limits): Promise<void> {
  const { rows } = await server.query<{ name: string; settings: string[] }>(
    `select current_database() as name, coalesce((
       select setconfig from pg_db_role_setting
       where setrole = (select oid from pg_roles where rolname = current_user)
         and setdatabase = (select oid from pg_database where datname = current_database())), '{}') as settings`,
  );
  const [{ name, settings } = { name: '', settings: [] }] = rows;
  const wanted = [...bounds.map((bound) => `${bound}=${statementTimeoutMs}`), ...plannerSettings];
  if (wanted.every((setting) => settings.includes(setting))) return;
  const database = pg.escapeIdentifier(name);
  for (const setting of wanted)
    await server.query(`alter role current_user in database ${database} set ${setting}`);
}
