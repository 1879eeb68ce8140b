import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import {
  assertUsable,
  connectBesideShop,
  connectDatabase,
  connectToUrl,
} from '#src/process/connect-database.ts';
import { newEmptyDatabase, type TestDatabase } from './start-shop.ts';

// Null without a pooler (`npm run test:all -- pgbouncer`).
const poolerUrl = inject('poolerUrl');

/** Over TCP or a socket. */
function readAddress({ connectionString, host, port, user, password, database }: pg.PoolConfig): string {
  if (connectionString) return connectionString;
  const address = new URL(`postgresql://localhost/${database}`);
  Object.assign(address, { username: user ?? '', password: String(password ?? '') });
  address.searchParams.set('host', host ?? '');
  address.searchParams.set('port', String(port ?? ''));
  return address.href;
}
function throughPooler(database: TestDatabase): string {
  const address = new URL(poolerUrl ?? '');
  address.pathname = new URL(readAddress(database.connection)).pathname;
  return address.href;
}

async function connect(env: Record<string, string>): Promise<string> {
  const listeners = { log: () => {}, onProgress: () => {}, onError: () => {}, onDeath: () => {} };
  const { database, close } = await connectDatabase(readConfig({ DATA_DIR: '/tmp', ...env }), listeners);
  try {
    const { rows } = await database.pool.query('show statement_timeout');
    return rows[0].statement_timeout;
  } finally {
    await close();
  }
}

test("inspecting a database leaves its role's settings alone", async () => {
  const [database, other] = [await newEmptyDatabase(), await newEmptyDatabase()];
  try {
    const [DATABASE_URL, DATABASE_DIRECT_URL] = [database, other].map((each) => readAddress(each.connection));
    const config = readConfig({ DATA_DIR: '/tmp', DATABASE_URL, DATABASE_DIRECT_URL });
    const looking = connectToUrl(config, DATABASE_URL ?? '', { onError: () => {} }, { changesNothing: true });
    await expect(looking).rejects.toThrow(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
    );
    const client = new pg.Client(other.connection);
    await client.connect();
    const { rows } = await client.query(
      `select setconfig from pg_db_role_setting
       where setdatabase = (select oid from pg_database where datname = current_database())`,
    );
    await client.end();
    expect(rows).toEqual([]);
  } finally {
    await database.drop();
    await other.drop();
  }
});

/** As if PgBouncer ignored start-up parameters. */
function withoutSettings(url: string): string {
  const address = new URL(url);
  for (const name of [
    'options',
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
  ]) {
    address.searchParams.set(name, '');
  }
  return address.href;
}

describe.skipIf(poolerUrl === null)('a start through PgBouncer in transaction mode', () => {
  test('requires the direct address of the same database', async () => {
    const [database, other] = [await newEmptyDatabase(), await newEmptyDatabase()];
    try {
      const DATABASE_URL = throughPooler(database);
      await expect(connect({ DATABASE_URL })).rejects.toThrow(
        /^DATABASE_URL does not answer at .+: this is a pooler such as PgBouncer; DATABASE_DIRECT_URL names the server behind it\.$/,
      );
      const elsewhere = {
        DATABASE_URL: throughPooler(other),
        DATABASE_DIRECT_URL: readAddress(database.connection),
      };
      await expect(connect(elsewhere)).rejects.toThrow(
        'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.',
      );
      const env = { DATABASE_URL, DATABASE_DIRECT_URL: readAddress(database.connection) };
      expect(await connect({ ...env, STATEMENT_TIMEOUT_MS: '1234' })).toBe('1234ms');
      await expect(connect({ DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL })).rejects.toThrow(
        'DATABASE_DIRECT_URL leads through a pooler: it has to lead past it.',
      );
    } finally {
      await database.drop();
      await other.drop();
    }
  });

  test('a command without a direct connection names DATABASE_DIRECT_URL', async () => {
    const database = await newEmptyDatabase();
    try {
      const refusal =
        'DATABASE_URL leads through a pooler in transaction mode: DATABASE_DIRECT_URL has to name the server behind it.';
      const DATABASE_URL = withoutSettings(throughPooler(database));
      await expect(connect({ DATABASE_URL })).rejects.toThrow(refusal);
      const config = readConfig({ DATA_DIR: '/tmp', DATABASE_URL });
      await expect(connectBesideShop(config, () => {})).rejects.toThrow(refusal);
      const opened = openDatabase({ connectionString: DATABASE_URL }, config, () => {});
      await expect(assertUsable(opened, DATABASE_URL)).rejects.toThrow(refusal);
      await opened.close();
    } finally {
      await database.drop();
    }
  });
});
