import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `pg.PoolConfig` as JSON: a server where a test may make databases. */
    adminConnection: string;
    /** Every database a test makes begins with this; whoever started the run drops them. */
    databasePrefix: string;
  }
}

/** An empty database of the test's own. */
export async function createDatabase(): Promise<pg.Pool> {
  const server = JSON.parse(inject('adminConnection')) as pg.PoolConfig;
  const name = inject('databasePrefix') + randomBytes(6).toString('hex');
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  if (!server.connectionString) return new pg.Pool({ ...server, database: name });
  const address = new URL(server.connectionString);
  address.pathname = `/${name}`;
  return new pg.Pool({ ...server, connectionString: address.href });
}
