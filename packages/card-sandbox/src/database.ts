import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

export type Database = NodePgDatabase;

/** The pool or a transaction, of any Drizzle schema. */
export type Executor = Pick<NodePgDatabase, 'select' | 'insert' | 'delete' | 'execute'>;
