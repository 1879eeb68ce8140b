import { type Database, withOwnConnection } from './connection.ts';

/**
 * Has the server look at what is searched, which it does by itself only when a tenth of a table has changed: after an
 * upgrade has rewritten tables it would know nothing of them, and what it notes of common words is believed only when it
 * was noted since the server's start (docs/decisions/0101). Some seconds among millions. Safe to repeat.
 */
export const analyzeTables = (database: Pick<Database, 'connection' | 'pool'>): Promise<unknown> =>
  withOwnConnection(database, (client) => client.query('analyze products, users, orders'));
