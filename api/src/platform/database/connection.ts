import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { Client, readSocket } from './client.ts';
import { hideParameters } from './hide-parameters.ts';
import { repeatAfterConflict } from './transaction-conflicts.ts';

export type Drizzle = NodePgDatabase;
/** What a store runs its statements on: the pool, or the transaction it was handed. */
export type Executor = Drizzle | Parameters<Parameters<Drizzle['transaction']>[0]>[0];

export interface Database {
  readonly pool: pg.Pool;
  /** Its transactions run once more when others were in their way: see `repeatAfterConflict`. */
  readonly db: Drizzle;
  /** How many did so. Each is a lock that is taken in another order somewhere. */
  readonly counts: Readonly<{ repeated: number }>;
  /**
   * How to reach the same database past a pooler, for what one in transaction mode cannot do: listening, locks of a
   * session, set-up work, the queue of the jobs.
   */
  readonly connection: pg.PoolConfig;
  /**
   * Runs one of the few hot statements: prepared by its name, but where the pool leads through such a pooler. It is a
   * transaction of its own, and runs once more like any other.
   */
  runPrepared<Row extends pg.QueryResultRow>(
    statement: pg.QueryConfig & { name: string },
  ): Promise<pg.QueryResult<Row>>;
  close(): Promise<void>;
}

type Timeouts = Pick<Config, 'statementTimeoutMs' | 'connectionTimeoutMs'>;

/**
 * The server neither compiles a statement to machine code nor starts processes that help with it: by itself either takes
 * longer than most of ours (docs/decisions/0070).
 */
export const plannerSettings = ['jit=off', 'max_parallel_workers_per_gather=0'] as const;

const INT8 = 20;
/** How much longer than the server's own bound a connection may be silent: time for the server to say so itself. */
const SILENCE_MARGIN_MS = 500;
const FAREWELL_TIMEOUT_MS = 1_000;

/** 64-bit integers arrive as numbers: every one of ours (cents, counts) is far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/**
 * Opens a pool. Nothing is asked of the database yet.
 *
 * No statement takes longer than `statementTimeoutMs`: the server cancels it, and a connection on which the server
 * itself is silent for longer is thrown away. Set-up work is exempt (`withOwnConnection`).
 * @param onError hears of idle connections that broke; the pool replaces them
 * @param direct how to reach the same database past the pooler that `connection` leads through; absent without one. The
 *   server then takes its settings from the role (`boundStatementsOfRole`)
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
    // A pooler refuses a connection that begins with settings it does not know.
    ...(!direct && {
      options: plannerSettings.map((setting) => `-c ${setting}`).join(' '),
      statement_timeout: statementTimeoutMs,
      lock_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: statementTimeoutMs,
    }),
    application_name: 'parts-forge',
    ...connection,
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

/** Here and nowhere else, so that no writer has to think of it. */
function repeatTransactions(db: Drizzle, onConflict: () => void): Drizzle {
  const runOnce = db.transaction.bind(db);
  db.transaction = (work, config) => repeatAfterConflict(() => runOnce(work, config), onConflict);
  return db;
}

/**
 * Throws connections away that hung while they were in use. pg's own `query_timeout` only gives up on the answer: the
 * connection would go back to the pool, and its next user would wait behind the statement that hangs.
 */
function endSilentConnections(pool: pg.Pool, timeoutMs: number): void {
  pool.on('connect', (client) => {
    const socket = readSocket(client);
    socket.on('timeout', () => socket.destroy(new Error('Connection terminated: it was silent too long')));
  });
  // Set anew for each use: once it has fired, a socket's timeout stays off.
  pool.on('acquire', (client) => void readSocket(client).setTimeout(timeoutMs));
  pool.on('release', (_error, client) => void readSocket(client).setTimeout(0));
}

/**
 * Runs `work` on a connection of its own, straight to the server, on which statements take as long as they take: for
 * migrations and the like. What it leaves open ends with it.
 */
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
    // The role may have bounds of its own.
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    return await work(client);
  } finally {
    await endOrDestroy(client);
  }
}

/** A server that does not answer the farewell is not waited for. */
async function endOrDestroy(client: Client): Promise<void> {
  const impatience = setTimeout(() => readSocket(client).destroy(), FAREWELL_TIMEOUT_MS);
  await client.end().catch(() => {});
  clearTimeout(impatience);
}

/** In SQL, whether the server takes no writes: a standby, or one whose place another one has taken. */
export const takesNoWrites = "(pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)";

/**
 * A connection that leads to a server without writes is not used again: the next one may lead to the primary.
 * @throws the database's own error, or one that says that it takes no writes
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

/** Whether a statement broke a unique index; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, constraint: broken } = (cause ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || broken === constraint);
}
