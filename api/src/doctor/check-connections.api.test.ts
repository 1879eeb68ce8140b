import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Database, openDatabase } from '#src/platform/database/connection.ts';
import { connectDatabase } from '#src/process/connect-database.ts';
import { examineBy, writeDatabaseUrl } from '#test/doctor.ts';
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

test('start and doctor refuse a database that is not UTF-8', async () => {
  const { pool } = open(database.connection);
  const name = `latin_${process.pid}`;
  await pool.query(
    `create database ${name} encoding 'LATIN1' template template0 locale_provider libc locale 'C'`,
  );
  const url = new URL(writeDatabaseUrl(database.connection));
  url.pathname = `/${name}`;
  const { said } = await examineBy({ DATABASE_URL: url.href });
  const quiet = { log: () => {}, onProgress: () => {}, onError: () => {}, onDeath: () => {} };
  const start = connectDatabase(readConfig({ DATABASE_URL: url.href }), quiet);
  const sentence =
    /DATABASE_URL leads to a database in the encoding LATIN1, .* ENCODING 'UTF8' TEMPLATE template0\./;
  await expect(start).rejects.toThrow(sentence);
  await pool.query(`drop database ${name} with (force)`);
  expect(said).toMatch(new RegExp(`WRONG ${sentence.source}`));
});

test('the doctor refuses a host that is none of this machine', async () => {
  const { said } = await examineBy({
    HOST: '192.0.2.1',
    PAYMENTS: 'sandbox',
    DATABASE_URL: writeDatabaseUrl(database.connection),
  });
  expect(said).toContain('WRONG HOST 192.0.2.1 is no address of this machine.');
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
