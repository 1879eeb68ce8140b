import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { readConfig } from '#src/platform/core/config.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { createDatabase, dropDatabase } from './databases.ts';
import { startThrowAway } from './start-throw-away.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `pg.PoolConfig` as JSON; may create databases. */
    adminConnection: string;
    /** Of test databases, which the end of the run drops. */
    databasePrefix: string;
    /** All tables, no rows: copying takes a third of the time of migrating. */
    databaseTemplate: string;
    /** In transaction mode, used by every shop; null: none. */
    poolerUrl: string | null;
  }
}

/**
 * For the whole run: the server of TEST_DATABASE_URL or DATABASE_URL, else a temporary embedded one, started
 * by the first project that needs it.
 */
export default async function provideThrowAwayPostgres({
  vitest,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('adminConnection' in vitest.getProvidedContext()) return undefined;
  const url = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const server = url
    ? { connection: { connectionString: url }, stop: async () => {} }
    : await startThrowAway({});
  const databasePrefix = `parts_forge_test_${randomBytes(4).toString('hex')}_`;
  vitest.provide('adminConnection', JSON.stringify(server.connection));
  vitest.provide('databasePrefix', databasePrefix);
  vitest.provide('poolerUrl', process.env.TEST_POOLER_URL ?? null);
  vitest.provide('databaseTemplate', await createTemplate(server.connection, `${databasePrefix}template`));
  return async () => {
    if (url) await dropDatabases(server.connection, databasePrefix);
    await server.stop();
  };
}

/** @returns its name; closes the connection, as a template must have none */
async function createTemplate(server: pg.PoolConfig, name: string): Promise<string> {
  const database = openDatabase(await createDatabase(server, name), readConfig({}), (error) => {
    throw error;
  });
  await migrate(database);
  await database.close();
  return name;
}

async function dropDatabases(connection: pg.PoolConfig, prefix: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows) await dropDatabase(connection, datname);
  } finally {
    await client.end();
  }
}
