import type { Socket } from 'node:net';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { hideParameters } from './hide-parameters.ts';

export type Drizzle = NodePgDatabase;
/** What a store runs its statements on: the pool, or the transaction it was handed. */
export type Executor = Drizzle | Parameters<Parameters<Drizzle['transaction']>[0]>[0];

export interface Database {
  readonly pool: pg.Pool;
  readonly db: Drizzle;
  /** How to reach the same database again, for the listening connection. */
  readonly connection: pg.PoolConfig;
  close(): Promise<void>;
}

type Timeouts = Pick<Config, 'statementTimeoutMs' | 'connectionTimeoutMs'>;

const INT8 = 20;
/** How much longer than the server's own bound a connection may be silent: time for the server to say so itself. */
const SILENCE_MARGIN_MS = 500;

/**
 * A client whose connection may break at any moment without ending the process. The pool listens for errors of idle
 * clients alone; of one that is in use the statement fails, which is where the error is dealt with.
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/**
 * Opens a pool. Nothing is asked of the database yet.
 *
 * No statement takes longer than `statementTimeoutMs`: the server cancels it, and a connection on which the server
 * itself is silent for longer is thrown away. Set-up work is exempt (`exemptFromTimeouts`).
 * 64-bit integers arrive as numbers: every one of ours (cents, counts) is far below 2^53.
 * @param onError hears of idle connections that broke; the pool replaces them
 */
export function openDatabase(
  connection: pg.PoolConfig,
  { statementTimeoutMs, connectionTimeoutMs }: Timeouts,
  onError: (error: Error) => void,
): Database {
  const types: pg.CustomTypesConfig = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  };
  hideParameters();
  const pool = new pg.Pool({
    max: 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectionTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'parts-forge',
    ...connection,
    types,
    Client,
  });
  pool.on('error', onError);
  endSilentConnections(pool, statementTimeoutMs + SILENCE_MARGIN_MS);
  return { pool, db: drizzle(pool), connection, close: () => pool.end() };
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
 * Lets a connection's statements take as long as they take, for migrations and the like. The connection is for this
 * work alone: release it with `true`, so that the pool throws it away.
 */
export async function exemptFromTimeouts(client: pg.PoolClient): Promise<void> {
  readSocket(client).setTimeout(0);
  await client.query(
    'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
  );
}

/** pg's types know a stream; it is a socket, plain or with TLS. */
const readSocket = ({ connection }: pg.Client) => connection.stream as Socket;

/** Whether a statement broke a unique index; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, constraint: broken } = (cause ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || broken === constraint);
}
