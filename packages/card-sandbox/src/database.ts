import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

/** The pool that the sandbox was given, through Drizzle. */
export type Database = NodePgDatabase;

/** What a store runs its statements on: the pool, or the transaction it was handed. Anybody's schema will do. */
export type Executor = Pick<NodePgDatabase, 'select' | 'insert' | 'delete' | 'execute'>;
