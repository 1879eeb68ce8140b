import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

export type Database = NodePgDatabase;

/** The pool or a transaction. Its Drizzle schema does not matter. */
export type Executor = Pick<NodePgDatabase, 'select' | 'insert' | 'delete' | 'execute'>;
