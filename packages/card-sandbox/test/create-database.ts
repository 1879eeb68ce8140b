import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `pg.PoolConfig` as JSON of a server where tests may create databases. */
    adminConnection: string;
    /** Prefix of every test database; the process that started the run drops them. */
    databasePrefix: string;
  }
}

/** Creates a database with the sandbox's table for one test. */
export async function createDatabase(): Promise<pg.Pool> {
  const pool = await createEmptyDatabase();
  // As the shop's migration.
  await pool.query(`
    create table sandbox_objects (
      id text primary key,
      kind text not null,
      data jsonb not null,
      created_at timestamp (3) with time zone not null default now()
    );
    create index sandbox_objects_kind on sandbox_objects using btree (kind, created_at);
  `);
  return pool;
}

async function createEmptyDatabase(): Promise<pg.Pool> {
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
