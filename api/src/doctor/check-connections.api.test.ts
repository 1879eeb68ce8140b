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
const received = 'works: Other processes receive changes (LISTEN and NOTIFY).';

test('a server without TLS and pooler is reported and delivers changes', async () => {
  expect(say(await checkConnections(open(database.connection), false))).toEqual([
    unencrypted('DATABASE_URL'),
    received,
  ]);
});

test('an unneeded direct address is reported', async () => {
  expect(say(await checkConnections(open(database.connection, database.connection), true))).toEqual([
    unencrypted('DATABASE_URL'),
    unencrypted('DATABASE_DIRECT_URL'),
    'note: DATABASE_URL leads through no pooler: DATABASE_DIRECT_URL is not needed.',
    received,
  ]);
});

const poolerUrl = inject('poolerUrl');

// Needs a PgBouncer, which only `npm run test:all -- pgbouncer` starts.
describe.skipIf(poolerUrl === null)('PgBouncer in transaction mode', () => {
  function throughPooler(): Database['connection'] {
    const address = new URL(poolerUrl ?? '');
    address.pathname = new URL(database.connection.connectionString ?? '').pathname;
    return { connectionString: address.href };
  }

  test('PgBouncer is recognised, with a way past it', async () => {
    expect(say(await checkConnections(open(throughPooler(), database.connection), true))).toEqual([
      unencrypted('DATABASE_URL'),
      unencrypted('DATABASE_DIRECT_URL'),
      'works: DATABASE_URL leads through a pooler in transaction mode, DATABASE_DIRECT_URL past it.',
      received,
    ]);
  });

  test('a direct address through PgBouncer fails', async () => {
    const said = say(await checkConnections(open(throughPooler(), throughPooler()), true));
    expect(said).toContain('fails: DATABASE_DIRECT_URL leads through a pooler: it has to lead past it.');
  });
});
