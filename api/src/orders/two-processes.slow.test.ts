import { fileURLToPath } from 'node:url';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aProduct, batchBody, orderBody, readProduct } from '#test/builders.ts';
import { type Program, startProgram, waitFor } from '#test/programs.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const processes: Program[] = [];
const addresses: string[] = [];

/** Sets up and reads back; the two processes take the orders. */
const shop = useShop();
const customer = usePerson(shop, 'user');
beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    const port = await freePort();
    addresses.push(`http://127.0.0.1:${port}`);
    processes.push(await openProcess(port));
  }
});
afterAll(async () => {
  for (const process of processes) await process.end();
});

test('two processes sell 1000 pieces in exactly 20 orders of 50', async () => {
  const product = await aProduct(shop, { quantity: 1000, minimumOrder: 50 });
  const answers = await Promise.all(Array.from({ length: 300 }, (_, index) => place(index, product)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 409)).toHaveLength(280);
  await expect.poll(async () => (await readProduct(shop, product._id)).quantity).toBe(0);
  for (const address of addresses) {
    const read = async () => (await (await fetch(`${address}/product/${product._id}`)).json()).data.quantity;
    await expect.poll(read).toBe(0);
  }
});

test('two processes place one order per idempotency key', async () => {
  const product = await aProduct(shop, { quantity: 10_000 });
  const key = { 'idempotency-key': 'the-same-for-both' };
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => place(index, product, key)));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  const ids = await Promise.all(answers.map(async (answer) => (await answer.json()).insertedId));
  expect(new Set(ids).size).toBe(1);
  await expect.poll(async () => (await readProduct(shop, product._id)).quantity).toBe(9950);
});

test('two processes place whole batches only, in any line order', async () => {
  const products = [await aProduct(shop, { quantity: 1000 }), await aProduct(shop, { quantity: 500 })];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const lines = products.map((product) => [product, 50] as const);
      const body = batchBody(customer, index % 4 < 2 ? lines : lines.toReversed());
      return post(index, '/order/batch', body);
    }),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 409)).toHaveLength(50);
  const stocks = async () =>
    Promise.all(products.map(async ({ _id }) => (await readProduct(shop, _id)).quantity));
  await expect.poll(stocks).toEqual([500, 0]);
});

const place = (
  index: number,
  product: Parameters<typeof orderBody>[1],
  headers: Record<string, string> = {},
) => post(index, '/order', orderBody(customer, product, 50), headers);

const post = (index: number, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${addresses[index % 2]}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function openProcess(port: number): Promise<Program> {
  const main = fileURLToPath(new URL('../process/main.ts', import.meta.url));
  const program = startProgram(process.execPath, [main], {
    env: {
      PORT: String(port),
      DATA_DIR: shop.config.dataDir,
      DATABASE_URL: toUrl(shop.services.database.connection),
      SEED: 'none',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      // The machine may be busy.
      CONNECTION_TIMEOUT_MS: '60000',
    },
  });
  await waitFor('open shop', () => program.said().includes('The shop is open at'), { program });
  return program;
}

function toUrl({ connectionString, host, user, password, database, port }: pg.PoolConfig): string {
  if (connectionString) return connectionString;
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : '';
  return `postgresql://${user}${secret}@localhost:${port ?? 5432}/${database}?host=${encodeURIComponent(host ?? 'localhost')}`;
}
