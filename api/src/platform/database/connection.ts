import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { Client, readSocket } from './client.ts';
import { hideParameters } from './hide-parameters.ts';
import { repeatAfterConflict } from './transaction-conflicts.ts';

/** A pool, so that several statements may run at once. A transaction is none: its connection runs one at a time. */
export type Drizzle = NodePgDatabase & { $client: pg.Pool };
export type Executor = NodePgDatabase | Parameters<Parameters<Drizzle['transaction']>[0]>[0];

export interface Database {
  readonly pool: pg.Pool;
  /** Repeats its transactions after a conflict: see `repeatAfterConflict`. */
  readonly db: Drizzle;
  /** Each means that some code takes locks in another order. */
  readonly counts: Readonly<{ repeated: number }>;
  /** Past a transaction-mode pooler: for listening, session locks, set-up work and the job queue. */
  readonly connection: pg.PoolConfig;
  /** In its own transaction, prepared unless a pooler is in between. */
  runPrepared<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig & { name: string },
  ): Promise<pg.QueryResult<Row>>;
  close(): Promise<void>;
}

type Timeouts = Pick<Config, 'statementTimeoutMs' | 'connectionTimeoutMs'>;

/**
 * Starting JIT compilation or parallel workers takes longer than most of our statements
 * (docs/decisions/0070).
 */
export const plannerSettings = ['jit=off', 'max_parallel_workers_per_gather=0'] as const;

const INT8 = 20;
/** Lets the server report its timeout first. */
const SILENCE_MARGIN_MS = 500;
const FAREWELL_TIMEOUT_MS = 1_000;

/** All of our 64-bit integers (cents, counts) are far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/**
 * Does not connect yet. Drops silent connections. Statements end after `statementTimeoutMs`, except set-up
 * work (`withOwnConnection`).
 * @param direct past a pooler; the role then holds the settings (`boundStatementsOfRole`)
 */
export function openDatabase(
  connection: pg.PoolConfig,
  { statementTimeoutMs, connectionTimeoutMs }: Timeouts,
  onError: (error: Error) => void,
  direct?: pg.PoolConfig,
): Database {
  hideParameters();
  const pool = new pg.Pool({
    max: 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectionTimeoutMs,
    // A pooler refuses unknown startup settings.
    ...(!direct && {
      statement_timeout: statementTimeoutMs,
      lock_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    }),
    application_name: 'parts-forge',
    ...connection,
    ...(!direct && { options: plannerSettings.map((setting) => `-c ${setting}`).join(' ') }),
    types,
    Client,
  });
  pool.on('error', onError);
  endSilentConnections(pool, statementTimeoutMs + SILENCE_MARGIN_MS);
  const counts = { repeated: 0 };
  const onConflict = () => {
    counts.repeated += 1;
  };
  return {
    pool,
    db: repeatTransactions(drizzle(pool), onConflict),
    counts,
    connection: direct ?? connection,
    runPrepared: ({ name, ...statement }) =>
      repeatAfterConflict(() => pool.query(direct ? statement : { name, ...statement }), onConflict),
    close: () => pool.end(),
  };
}

function repeatTransactions(db: Drizzle, onConflict: () => void): Drizzle {
  const runOnce = db.transaction.bind(db);
  db.transaction = (work, config) => repeatAfterConflict(() => runOnce(work, config), onConflict);
  return db;
}

/** pg's `query_timeout` would return a hanging connection to the pool. */
function endSilentConnections(pool: pg.Pool, timeoutMs: number): void {
  pool.on('connect', (client) => {
    const socket = readSocket(client);
    socket.on('timeout', () => socket.destroy(new Error('Connection terminated: it was silent too long')));
  });
  // A socket's timeout stays off once it has fired.
  pool.on('acquire', (client) => void readSocket(client).setTimeout(timeoutMs));
  pool.on('release', (_error, client) => void readSocket(client).setTimeout(0));
}

/** Without a statement timeout, for migrations and the like. */
export async function withOwnConnection<T>(
  { connection, pool }: Pick<Database, 'connection' | 'pool'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionTimeoutMillis: pool.options.connectionTimeoutMillis,
    application_name: 'parts-forge set-up',
    ...connection,
    types,
  });
  await client.connect();
  try {
    // The role may have timeouts of its own.
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    return await work(client);
  } finally {
    await endOrDestroy(client);
  }
}

async function endOrDestroy(client: Client): Promise<void> {
  const impatience = setTimeout(() => readSocket(client).destroy(), FAREWELL_TIMEOUT_MS);
  await client.end().catch(() => {});
  clearTimeout(impatience);
}

/** SQL; true on a standby or a replaced primary. */
export const takesNoWrites = "(pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)";

/**
 * Drops a read-only connection: the next one may lead to the primary.
 * @throws the database's error, or one that says it takes no writes
 */
export async function assertTakesWrites({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const client = await pool.connect();
  let isReadOnly = true;
  try {
    const { rows } = await client.query<{ isReadOnly: boolean }>(`select ${takesNoWrites} as "isReadOnly"`);
    isReadOnly = rows[0]?.isReadOnly ?? true;
  } finally {
    client.release(isReadOnly);
  }
  if (isReadOnly) throw new Error('The database takes no writes');
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, constraint: broken } = (cause ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || broken === constraint);
}
