import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { openEvents } from '#test/event-stream.ts';
import { findServerPids } from '#test/server-pids.ts';
import { signalAll } from '#test/signal-all.ts';
import { copyForStandby, startPrimary, startStandby, type TestServer, toUrl } from '#test/standby.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

// A primary and its streaming replica, both of the PostgreSQL that comes along.
const patience = { timeout: 30_000, interval: 20 };

let primary: TestServer;
let standby: TestServer;
let shop: TestShop;
let admin: Person;

beforeAll(async () => {
  const newFolder = () => mkdtempSync(join(tmpdir(), 'parts-forge-replica-'));
  primary = await startPrimary(newFolder());
  const dataDir = newFolder();
  await copyForStandby(primary, dataDir);
  standby = await startStandby(primary, dataDir);
  shop = await startShop({
    connection: primary.postgres.connection,
    env: { DATABASE_URL: 'postgres://db.example/shop', DATABASE_REPLICA_URL: toUrl(standby) },
  });
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  await shop.close();
  for (const { postgres, dataDir } of [standby, primary]) {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function ask({ postgres }: TestServer, text: string) {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Runs work while the replica receives what is written, and shows none of it. */
async function whileReplayIsPaused(work: () => Promise<void>): Promise<void> {
  await ask(standby, 'select pg_wal_replay_pause()');
  await vi.waitFor(async () => {
    expect(await ask(standby, 'select pg_get_wal_replay_pause_state() as state')).toEqual([
      { state: 'paused' },
    ]);
  }, patience);
  try {
    await work();
  } finally {
    await ask(standby, 'select pg_wal_replay_resume()');
  }
}

/** Which server answered a read that nothing in memory could answer, and what it said. */
async function read(path: string, headers: Record<string, string> = {}) {
  const before = { ...shop.services.publicReads.counts };
  const { status, body } = await shop.request(path, { headers });
  const { replica, primary: ours } = shop.services.publicReads.counts;
  const by = `${replica - before.replica} by the replica, ${ours - before.primary} by the primary`;
  return { status, body, by };
}
const byReplica = '1 by the replica, 0 by the primary';
const byPrimary = '0 by the replica, 1 by the primary';
const anyList = () => `/product?q=${Math.random()}`;

const isUsed = () => vi.waitFor(async () => expect((await read(anyList())).by).toBe(byReplica), patience);

beforeEach(isUsed);
afterEach(() => expect(shop.errors).toEqual([]));

test('public reads of what has not just changed are made on the replica, signed-in ones never', async () => {
  // A replica that lags for a moment on a busy machine is passed over, so each try reads what is in no memory.
  let limit = 1;
  await vi.waitFor(async () => {
    limit += 1;
    expect(await read(`/review?limit=${limit}`)).toMatchObject({ status: 200, by: byReplica });
  }, patience);
  await shop.request('/user', { token: admin.token });
  expect((await read(`/review?limit=${limit}`)).by).toBe('0 by the replica, 0 by the primary');
});

describe('while the replica lags', () => {
  test('a change is in the next read of everybody, nothing old is cached, and all else stays with the replica', async () => {
    const { _id: id } = await aProduct(shop, { quantity: 100 });
    await isUsed();
    await whileReplayIsPaused(async () => {
      await shop.request(`/product/${id}`, { method: 'PUT', token: admin.token, body: { quantity: 777 } });
      const [one, list, unrelated] = [
        await read(`/product/${id}`),
        await read('/product?limit=1'),
        await read('/review?limit=8'),
      ];
      expect([one.body.data.quantity, one.by]).toEqual([777, byPrimary]);
      expect([list.body[0].quantity, list.by]).toEqual([777, byPrimary]);
      expect(unrelated.by).toBe(byReplica);
      expect((await shop.request(`/product/${id}`)).body.data.quantity).toBe(777);
    });
    await isUsed();
    expect((await shop.request(`/product/${id}`)).body.data.quantity).toBe(777);
  });

  test('a part that it does not have yet is there for everybody', async () => {
    await whileReplayIsPaused(async () => {
      const { _id: id } = await aProduct(shop);
      expect(await read(`/product/${id}`)).toMatchObject({ status: 200, body: { data: { _id: id } } });
      const watched = await openEvents(shop, `/live?products=${id}`);
      await expect.poll(() => watched.events).toMatchObject([{ name: 'product', data: { _id: id } }]);
      watched.leave();
    });
    await isUsed();
  });

  test('it answers nothing any more when the bound is passed', async () => {
    await whileReplayIsPaused(async () => {
      await ask(primary, "comment on table reviews is 'something to replay'");
      await vi.waitFor(async () => {
        expect((await read(`/review?limit=${Math.ceil(Math.random() * 50)}`)).by).not.toBe(byReplica);
        expect((await read(anyList())).by).toBe(byPrimary);
      }, patience);
    });
    await isUsed();
  });

  test('whoever has just written something reads from the primary', async () => {
    expect((await read(anyList(), { cookie: 'shop.wrote=1' })).by).toBe(byPrimary);
  });
});

test('a replica that dies in the middle of reads costs no answer, and is used again when it is back', async () => {
  let isOver = false;
  const statuses = new Set<number>();
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) statuses.add((await shop.request(anyList())).status);
  });
  await standby.postgres.stop();
  expect((await read('/review?limit=9')).status).toBe(200);
  isOver = true;
  await Promise.all(readers);
  expect([...statuses]).toEqual([200]);
  standby = await startStandby(primary, standby.dataDir);
});

test('a replica that hangs does not hang a read', async () => {
  const pids = findServerPids(standby.dataDir);
  expect(pids.length).toBeGreaterThan(3);
  signalAll(pids, 'SIGSTOP');
  try {
    for (let round = 0; round < 3; round += 1) {
      expect((await read(anyList())).status).toBe(200);
    }
    expect((await read(anyList())).by).toBe(byPrimary);
  } finally {
    signalAll(pids, 'SIGCONT');
  }
});

test('a replica that was promoted by mistake is no replica', async () => {
  await ask(standby, 'select pg_promote()');
  await vi.waitFor(async () => expect((await read(anyList())).by).toBe(byPrimary), patience);
  // It stays so, for longer than a proof is good for.
  const endAtMs = performance.now() + 1_500;
  while (performance.now() < endAtMs) expect((await read(anyList())).by).toBe(byPrimary);
});
