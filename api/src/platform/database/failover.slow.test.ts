import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Product } from '@parts-forge/contract/products/products';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { aProduct, orderBody, type Person, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const patience = { timeout: 30_000, interval: 20 };

let dataDir: string;
let server: EmbeddedPostgres;
let shop: TestShop;
let customer: Person;
let product: Product;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parts-forge-failover-'));
  server = await startEmbeddedPostgres({ dataDir, transport: 'socket', settings: { fsync: 'off' } });
  shop = await startShop({ connection: server.connection, env: { STATEMENT_TIMEOUT_MS: '2000' } });
  customer = await signedInAs(shop, 'user');
  product = await aProduct(shop, { quantity: 10_000 });
});
afterAll(async () => {
  await shop.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
afterEach(() => {
  // These tests cause database failures, which are logged.
});

async function withClient<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const change = (setting: string) =>
  withClient(async (client) => {
    await client.query(`alter system ${setting}`);
    await client.query('select pg_reload_conf()');
  });

/** Ends every wait for a standby until `commit` settles. @returns the number of ended waits */
const endWaitsDuring = (commit: Promise<unknown>) =>
  withClient(async (client) => {
    let isOver = false;
    let ended = 0;
    const over = commit.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
      ended += (await client.query(cancel)).rowCount ?? 0;
    }
    await over;
    return ended;
  });

/** PostgreSQL applies a new setting with a delay; until then commits do not wait. */
const untilCommitsWait = () =>
  vi.waitFor(async () => {
    const commit = withClient((client) =>
      client.query("select pg_logical_emit_message(true, 'a', 'commit')"),
    );
    expect(await endWaitsDuring(commit)).toBeGreaterThan(0);
  }, patience);

const order = () => customer.places(product);

const worksAgain = () =>
  vi.waitFor(async () => {
    expect(shop.services.changes.isConnected).toBe(true);
    expect((await order()).status).toBe(200);
  }, patience);

describe("order without the synchronous standby's confirmation", () => {
  const orderWithoutStandby = async (during: (answer: Promise<unknown>) => Promise<void>) => {
    await change("set synchronous_standby_names = 'nobody'");
    try {
      await untilCommitsWait();
      const answer = order();
      await during(answer);
      const { status, headers } = await answer;
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
    } finally {
      await change('reset synchronous_standby_names');
    }
    await worksAgain();
  };

  test('an order not confirmed in time is not acknowledged', () => orderWithoutStandby(async () => {}));

  test('an order whose wait is cancelled is not acknowledged', async () => {
    await orderWithoutStandby(async (answer) => {
      expect(await endWaitsDuring(answer)).toBeGreaterThan(0);
    });
    const errors = JSON.stringify(shop.errors);
    expect(errors).toContain('The standby has not confirmed the commit');
  });

  test('unconfirmed orders that ran together are not placed again', async () => {
    const other = await aProduct(shop, { quantity: 1000, minimumOrder: 1 });
    const body = orderBody(customer, other, 1);
    await orderWithoutStandby(async (answer) => {
      const together = Promise.all(Array.from({ length: 8 }, () => customer.post('/order', body)));
      await endWaitsDuring(Promise.all([answer, together]));
      expect((await together).map(({ status }) => status)).toEqual(Array(8).fill(503));
    });
    const { rows } = await shop.pool.query('select quantity from products where id = $1', [other._id]);
    expect(rows).toEqual([{ quantity: 1000 - 8 }]);
  });
});

test('a read-only server refuses orders with 503 and is disconnected', async () => {
  await change('set default_transaction_read_only = on');
  try {
    await vi.waitFor(async () => expect((await order()).status).toBe(503), patience);
    // The listening connection no longer proves that caches are fresh.
    await vi.waitFor(() => expect(shop.services.changes.isConnected).toBe(false), patience);
    const client = await shop.pool.connect();
    await expect(client.query('create table impossible ()')).rejects.toMatchObject({ code: '25006' });
    await expect(client.query('select 1')).rejects.toSatisfy(isDatabaseUnavailable);
    client.release();
  } finally {
    await change('reset default_transaction_read_only');
  }
  await worksAgain();
});
