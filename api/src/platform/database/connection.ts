import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

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

const INT8 = 20;

/**
 * Opens a pool. Nothing is asked of the database yet.
 *
 * 64-bit integers arrive as numbers: every one of ours (cents, counts) is far below 2^53.
 * @param onError hears of idle connections that broke; the pool replaces them
 */
export function openDatabase(connection: pg.PoolConfig, onError: (error: Error) => void): Database {
  const types: pg.CustomTypesConfig = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({
    max: 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'parts-forge',
    ...connection,
    types,
  });
  pool.on('error', onError);
  return { pool, db: drizzle(pool), connection, close: () => pool.end() };
}

/** Whether a statement broke a unique index; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, constraint: broken } = (cause ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || broken === constraint);
}
