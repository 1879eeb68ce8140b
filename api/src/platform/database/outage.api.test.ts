import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { serverPids, signalAll } from '@parts-forge/embedded-postgres/linux-processes';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '#test/answer.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { startForTest } from '#test/use-shop.ts';
import { withSetupLock } from './migrate.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const SOCKET = '.s.PGSQL.5432';
const patience = { timeout: 30_000, interval: 20 };

let dataDir: string;
let server: EmbeddedPostgres;
let shop: TestShop;
let admin: Person;
let customer: Person;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'parts-forge-outage-'));
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  server = await startEmbeddedPostgres({ dataDir, transport: 'socket', settings });
  const env = { STATEMENT_TIMEOUT_MS: '1000', CONNECTION_TIMEOUT_MS: '1000' };
  shop = await startShop({ connection: server.connection, env });
  admin = await signedInAs(shop, 'admin');
  customer = await signedInAs(shop, 'user');
});
afterAll(async () => {
  await shop.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

beforeEach(isBack);
afterEach(() => {
  // These tests cause database failures, which are logged.
});

/** Queries the database directly, even when the shop cannot reach it. */
async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], host?: string) {
  const client = new pg.Client({ ...server.connection, ...(host && { host }) });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const endConnections = (host?: string) =>
  ask(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'parts-forge%'",
    [],
    host,
  );

/** Cuts the shop off from the database, which others can still reach. */
async function cutOff(): Promise<{ elsewhere: string; mend(): void }> {
  const { host } = server.connection;
  const elsewhere = join(dataDir, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  renameSync(join(host, SOCKET), join(elsewhere, SOCKET));
  await endConnections(elsewhere);
  return { elsewhere, mend: () => renameSync(join(elsewhere, SOCKET), join(host, SOCKET)) };
}

async function isBack(): Promise<void> {
  await vi.waitFor(async () => {
    expect((await shop.request('/readyz')).status).toBe(200);
    expect(shop.services.changes.isConnected).toBe(true);
  }, patience);
}

const read = (path: string) =>
  shop.request(path, { headers: path.startsWith('/product') ? {} : { accept: 'text/html' } });
const readName = ({ body }: Answer) => body.data?.name;

function expectTryLater(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** Calls that no cache answers. */
const needsDatabase = () => [
  shop.request('/readyz'),
  shop.request(`/product?q=${Math.random()}`),
  admin.get('/user'),
  customer.get(`/order?email=${customer.email}`),
  customer.post('/review', { name: customer.name, email: customer.email, rating: 5, description: 'Flat.' }),
  admin.delete(`/product/01890000-0000-7000-8000-000000000000`),
  shop.request('/identity/sign-in/email', {
    method: 'POST',
    headers: { origin: shop.url },
    body: { email: customer.email, password: 'wrong password' },
  }),
  customer.post('/logout'),
];

describe('repeatedly broken connections', () => {
  test('broken connections fail single calls with 503 and recover at once', async () => {
    let isOver = false;
    const answers: Answer[] = [];
    const caller = async () => {
      while (!isOver)
        answers.push(await admin.get('/user'), await shop.request(`/product?q=${Math.random()}`));
    };
    const callers = Array.from({ length: 8 }, caller);
    for (let round = 0; round < 20; round += 1) await endConnections();
    isOver = true;
    await Promise.all(callers);
    for (const answer of answers) if (answer.status !== 200) expectTryLater(answer);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    await isBack();
    expect((await admin.get('/user')).status).toBe(200);
  });
});

test('a connection that breaks ends only its own transaction', async () => {
  const transaction = shop.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await ask('select pg_terminate_backend($1, 10000)', [rows[0]?.pid]);
    // The end arrives while no statement runs.
    await vi.waitFor(
      () =>
        tx.execute(sql`select 1`).then(
          () => expect.unreachable(),
          () => {},
        ),
      patience,
    );
    await tx.execute(sql`select 1`);
  });
  await expect(transaction).rejects.toSatisfy(isDatabaseUnavailable);
  await isBack();
});

describe('unreachable database', () => {
  test('an outage shows cached responses with their age, else 503', async () => {
    const { _id: product } = await aProduct(shop, { name: 'Before the outage' });
    const paths = ['/', '/all-products', '/product?limit=3', `/product/${product}`];
    for (const path of paths) expect((await read(path)).headers.get('age')).toBeNull();
    const { elsewhere, mend } = await cutOff();
    try {
      await vi.waitFor(() => expect(shop.services.changes.isConnected).toBe(false), patience);
      for (const path of paths) {
        const answer = await read(path);
        expect([path, answer.status]).toEqual([path, 200]);
        expect(Number(answer.headers.get('age'))).toBeGreaterThan(0);
        expect(JSON.stringify(answer.body)).toContain('Before the outage');
        const again = await shop.request(path, {
          headers: { 'if-none-match': answer.headers.get('etag') ?? '', accept: 'text/html' },
        });
        expect([again.status, again.headers.has('age')]).toEqual([304, true]);
      }
      for (const answer of await Promise.all(needsDatabase())) expectTryLater(answer);
      await ask('update products set name = $1 where id = $2', ['Meanwhile', product], elsewhere);
    } finally {
      mend();
    }
    await vi.waitFor(() => expect(shop.services.changes.isConnected).toBe(true), patience);
    for (const path of paths) {
      const answer = await read(path);
      expect([path, answer.status, answer.headers.get('age')]).toEqual([path, 200, null]);
      expect(JSON.stringify(answer.body)).toContain('Meanwhile');
      expect(JSON.stringify(answer.body)).not.toContain('Before the outage');
    }
  });

  test('a role without the right to log in is an outage', async () => {
    const { _id: product } = await aProduct(shop, { name: 'Before the role changed' });
    const paths = ['/', '/product?limit=3', `/product/${product}`];
    for (const path of paths) await read(path);
    const client = new pg.Client(server.connection);
    await client.connect();
    try {
      await client.query('alter role current_user nologin');
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'parts-forge%'",
      );
      await vi.waitFor(() => expect(shop.services.changes.isConnected).toBe(false), patience);
      for (const path of paths) {
        const answer = await read(path);
        expect([path, answer.status, answer.headers.has('age')]).toEqual([path, 200, true]);
      }
      for (const answer of await Promise.all(needsDatabase())) expectTryLater(answer);
    } finally {
      await client.query('alter role current_user login');
      await client.end();
    }
    await isBack();
  });

  test('a read-only shop is not ready until writes are back', async () => {
    const client = new pg.Client(server.connection);
    await client.connect();
    const change = async (what: string) => {
      await client.query(`alter system ${what}`);
      await client.query('select pg_reload_conf()');
    };
    // The identity service has to be open, as one that failed to open is not ready either.
    expect((await shop.request('/identity/get-session')).status).toBe(200);
    await client.query('set default_transaction_read_only = off');
    await change('set default_transaction_read_only = on');
    try {
      await vi.waitFor(async () => expectTryLater(await shop.request('/readyz')), patience);
      expectTryLater(await shop.request('/readyz'));
    } finally {
      await change('reset default_transaction_read_only');
      await client.end();
    }
    await isBack();
  });

  test('responses known to be stale are not shown', async () => {
    const { _id: product } = await aProduct(shop, { name: 'Gone soon' });
    expect(readName(await read(`/product/${product}`))).toBe('Gone soon');
    await admin.delete(`/product/${product}`);
    const { mend } = await cutOff();
    try {
      expectTryLater(await read(`/product/${product}`));
    } finally {
      mend();
    }
  });
});

test('responses stay fresh while only the listening connection is broken', async () => {
  const { _id: product } = await aProduct(shop, { name: 'Version 0' });
  const ages = new Set<string | null>();
  for (let version = 1; version < 20; version += 1) {
    await ask('update products set name = $1 where id = $2', [`Version ${version}`, product]);
    await ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parts-forge listener'",
    );
    await vi.waitFor(async () => {
      const answer = await read(`/product/${product}`);
      ages.add(answer.headers.get('age'));
      expect(readName(answer)).toBe(`Version ${version}`);
    }, patience);
    await vi.waitFor(() => expect(shop.services.changes.isConnected).toBe(true), patience);
  }
  expect([...ages]).toEqual([null]);
});

describe('slow statement', () => {
  /** Blocks every read of products until `work` is over. */
  async function withLockedProducts(work: () => Promise<void>): Promise<void> {
    const client = new pg.Client(server.connection);
    await client.connect();
    await client.query('begin');
    await client.query('lock table products in access exclusive mode');
    try {
      await work();
    } finally {
      await client.end();
    }
  }

  test('a slow statement is cancelled after its timeout, with 503', async () => {
    await withLockedProducts(async () => expectTryLater(await shop.request('/product?q=slow')));
  });

  test('a request is given up at its timeout before its statement', async () => {
    const impatient = await startForTest({
      shareDatabaseWith: shop,
      env: { REQUEST_TIMEOUT_MS: '1500', STATEMENT_TIMEOUT_MS: '30000' },
    });
    await withLockedProducts(async () => {
      const answer = await impatient.request('/product?q=impatient');
      expectTryLater(answer);
      expect(answer.body.detail).toBe('This takes too long. Try again.');
      const waiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'";
      await shop.pool.query(waiting);
      // The late failure is logged as itself.
      const logged = [{ msg: 'This takes too long. Try again.' }, { msg: 'the database does not answer' }];
      await expect.poll(() => impatient.errors).toMatchObject(logged);
      impatient.expectErrors(2);
    });
    expect((await impatient.request('/product?q=impatient')).status).toBe(200);
  });

  test('set-up statements have no timeout', async () => {
    await withSetupLock(shop.services.database, async (client) => {
      await client.query('select pg_sleep(1.7)');
    });
    await expect(shop.pool.query('select pg_sleep(60)')).rejects.toMatchObject({
      code: '57014',
    });
  });

  test('a statement that an operator cancels is 503', async () => {
    await withLockedProducts(async () => {
      const answer = shop.request('/product?q=cancelled');
      await vi.waitFor(async () => {
        const rows = await ask(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'parts-forge'",
        );
        expect(rows.length).toBeGreaterThan(0);
      }, patience);
      expectTryLater(await answer);
    });
  });
});

describe('hanging database', () => {
  async function timed(answer: Promise<Answer>): Promise<Answer & { seconds: number }> {
    const start = performance.now();
    return { ...(await answer), seconds: (performance.now() - start) / 1000 };
  }

  test('calls are answered in time while the database hangs, then recover', async () => {
    const { _id: product } = await aProduct(shop, { name: 'In memory' });
    await read(`/product/${product}`);
    // Every call below gets an open connection, which then hangs.
    await Promise.all(Array.from({ length: 16 }, () => shop.pool.query('select pg_sleep(0.5)')));
    expect(shop.pool.idleCount).toBeGreaterThan(9);
    const pids = serverPids(dataDir);
    expect(pids.length).toBeGreaterThan(5);
    signalAll(pids, 'SIGSTOP');
    try {
      for (let round = 0; round < 2; round += 1) {
        const [ready, ...answers] = await Promise.all(needsDatabase().map(timed));
        expect(ready?.status).toBe(503);
        // Two seconds; a busy machine takes longer, a call without a timeout for ever.
        expect(ready?.seconds).toBeLessThan(30);
        for (const answer of answers) {
          expectTryLater(answer);
          expect(answer.seconds).toBeLessThan(30);
        }
        expect(readName(await read(`/product/${product}`))).toBe('In memory');
      }
      await vi.waitFor(() => expect(shop.services.changes.isConnected).toBe(false), patience);
      const answer = await read(`/product/${product}`);
      expect([readName(answer), answer.headers.has('age')]).toEqual(['In memory', true]);
    } finally {
      signalAll(pids, 'SIGCONT');
    }
    await isBack();
    const fresh = await read(`/product/${product}`);
    expect([readName(fresh), fresh.headers.has('age')]).toEqual(['In memory', false]);
    const signedIn = await admin.get('/user');
    expect(signedIn.status).toBe(200);
  });
});
