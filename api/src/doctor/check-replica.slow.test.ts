import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '#src/platform/database/connection.ts';
import { copyForStandby, startPrimary, startStandby, type TestServer, toUrl } from '#test/standby.ts';
import { checkReplica } from './check-replica.ts';

let primary: TestServer;
let standby: TestServer;
const newFolder = () => mkdtempSync(join(tmpdir(), 'parts-forge-replica-'));
beforeAll(async () => {
  primary = await startPrimary(newFolder());
  const dataDir = newFolder();
  await copyForStandby(primary, dataDir);
  standby = await startStandby(primary, dataDir);
}, 60_000);
afterAll(async () => {
  for (const { postgres, dataDir } of [standby, primary]) {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

const limits = { statementTimeoutMs: 5000, connectionTimeoutMs: 5000, replicaLagMs: 1000 };

async function check(databaseReplicaUrl: string | null, lagMs = limits.replicaLagMs): Promise<string[]> {
  const database: Database = openDatabase({ connectionString: toUrl(primary) }, limits, () => {});
  onTestFinished(() => database.close());
  const findings = await checkReplica(database, { ...limits, replicaLagMs: lagMs, databaseReplicaUrl });
  return findings.map(({ verdict, sentence }) => `${verdict}: ${sentence}`);
}

test('a shop without a replica gets no line about one', async () => {
  expect(await check(null)).toEqual([]);
});

test('a standby of the database works', async () => {
  expect(await check(toUrl(standby), 30_000)).toEqual([
    expect.stringMatching(/^note: DATABASE_REPLICA_URL: the connection is not encrypted/),
    'works: DATABASE_REPLICA_URL leads to a standby of this database, which takes public reads.',
  ]);
});

test('a primary in the place of the replica is wrong', async () => {
  expect(await check(toUrl(primary))).toContain(
    'fails: DATABASE_REPLICA_URL leads to a server that is no standby.',
  );
});

test('a replica that does not answer fails without its password', async () => {
  expect(await check('postgres://shop:pass-word@127.0.0.1:1/shop')).toEqual([
    'fails: DATABASE_REPLICA_URL does not answer at 127.0.0.1:1/shop: connect ECONNREFUSED 127.0.0.1:1.',
  ]);
});

test('a standby of another database is wrong', async () => {
  expect(await check(toUrl(standby).replace(/\/\w+\?/, '/template1?'))).toContain(
    'fails: DATABASE_REPLICA_URL leads to a standby of another database than DATABASE_URL.',
  );
});

test('a standby that is behind is a note', async () => {
  const replica = openDatabase({ connectionString: toUrl(standby) }, limits, () => {});
  const database = openDatabase({ connectionString: toUrl(primary) }, limits, () => {});
  onTestFinished(async () => {
    await replica.pool.query('select pg_wal_replay_resume()');
    await Promise.all([replica.close(), database.close()]);
  });
  await replica.pool.query('select pg_wal_replay_pause()');
  await database.pool.query('create table later ()');
  expect(await check(toUrl(standby), 50)).toContain(
    'note: The standby of DATABASE_REPLICA_URL is more than 50 ms behind (DATABASE_REPLICA_LAG_MS): its reads go to DATABASE_URL.',
  );
});
