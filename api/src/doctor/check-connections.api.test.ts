import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '#src/platform/database/connection.ts';
import { newEmptyDatabase, type TestDatabase } from '#test/start-shop.ts';
import { checkConnections } from './check-connections.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newEmptyDatabase();
});
afterAll(() => database.drop());

const limits = { statementTimeoutMs: 5000, connectionTimeoutMs: 5000 };

function open(...[connection, direct]: [Database['connection'], Database['connection']?]): Database {
  const opened = openDatabase(connection, limits, () => {}, direct);
  onTestFinished(() => opened.close());
  return opened;
}
const say = (findings: Awaited<ReturnType<typeof checkConnections>>) =>
  findings.map(({ verdict, sentence }) => `${verdict}: ${sentence}`);

const unencrypted = (setting: string) =>
  `note: ${setting}: the connection is not encrypted; where others share the network, PostgreSQL needs TLS.`;
const heard = 'works: What one process changes is heard by the others (LISTEN and NOTIFY).';

test('a server without TLS and without a pooler is said to be one, and changes are heard', async () => {
  expect(say(await checkConnections(open(database.connection), false))).toEqual([
    unencrypted('DATABASE_URL'),
    heard,
  ]);
});

test('a direct address that is not needed is said to be so', async () => {
  expect(say(await checkConnections(open(database.connection, database.connection), true))).toEqual([
    unencrypted('DATABASE_URL'),
    unencrypted('DATABASE_DIRECT_URL'),
    'note: DATABASE_URL leads through no pooler: DATABASE_DIRECT_URL is not needed.',
    heard,
  ]);
});

const poolerUrl = inject('poolerUrl');

// Needs a PgBouncer, which `npm run test:all -- pgbouncer` starts; everywhere else there is none.
describe.skipIf(poolerUrl === null)('PgBouncer in transaction mode', () => {
  function throughPooler(): Database['connection'] {
    const address = new URL(poolerUrl ?? '');
    address.pathname = new URL(database.connection.connectionString ?? '').pathname;
    return { connectionString: address.href };
  }

  test('is recognised, with a way past it', async () => {
    expect(say(await checkConnections(open(throughPooler(), database.connection), true))).toEqual([
      unencrypted('DATABASE_URL'),
      unencrypted('DATABASE_DIRECT_URL'),
      'works: DATABASE_URL leads through a pooler in transaction mode, DATABASE_DIRECT_URL past it.',
      heard,
    ]);
  });

  test('in the place of the direct address is wrong', async () => {
    const said = say(await checkConnections(open(throughPooler(), throughPooler()), true));
    expect(said).toContain('fails: DATABASE_DIRECT_URL leads through a pooler: it has to lead past it.');
  });
});
