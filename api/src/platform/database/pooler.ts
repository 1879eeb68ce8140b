import pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { type Database, plannerSettings } from './connection.ts';
import { withSetupLock } from './migrate.ts';

const bounds = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;

/**
 * Whether the connection leads through a pooler: the process that runs its statements is not the one that answered. A
 * pooler gives each client a number of its own for cancelling, where PostgreSQL gives that of its process; a balancer that
 * passes bytes on, such as HAProxy, changes neither.
 */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { processID } = client as unknown as { processID: number };
  return (await readProcess(client)) !== processID;
}

/**
 * Whether a pool leads through a pooler in transaction mode: two connections had the same process one after the other, or
 * one of them had two. Nothing of a session lasts there.
 */
export async function sharesSessions(pool: pg.Pool): Promise<boolean> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    if (!(await isPooled(one))) return false;
    // Other traffic may get a connection another process each time; either way none is ours alone.
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
 * Has the server bound every statement that comes through the pooler, and plan it as ours (`plannerSettings`), by settings
 * of the shop's own role in this database, which each new session has from its beginning. A pooler in transaction mode
 * leaves no other way: it refuses settings at the start of a connection, and one that is made later would be somebody
 * else's with the next transaction.
 *
 * To be called before anything goes through the pooler, so that none of its sessions is older. Safe to repeat, and at
 * the same time from several processes. Sessions that are open while a bound changes keep the former one.
 */
export const boundStatementsOfRole = (database: Database, limits: Limits): Promise<void> =>
  withSetupLock(database, (client) => setBounds(client, limits));

/** The same where the pooler logs in as another role than the direct address has; else there is nothing to do. */
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
