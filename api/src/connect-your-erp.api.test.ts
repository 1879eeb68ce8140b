import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Scope } from '@parts-forge/contract/calls/policies';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aPicture, aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { listen } from '#test/listen.ts';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { numberEvents } from './events/number-events.ts';
import { createSender } from './webhooks/send-webhooks.ts';

const guide = readFileSync(new URL('../../docs/guides/connect-your-erp.md', import.meta.url), 'utf8');
const scopes = ['catalogue:write', 'stock:write', 'orders:read', 'orders:ship', 'events:read'] as const;
const folder = mkdtempSync(join(tmpdir(), 'erp-'));
let key: string;

const shop = useShop({ env: { WEBHOOK_HOSTS: '127.0.0.1' } });
const admin = usePerson(shop, 'admin');
beforeAll(async () => {
  const body = { name: 'ERP', scopes: scopes satisfies readonly Scope[] };
  key = (await admin.post('/key', body)).body.key;
  for (const [, language, text = ''] of guide.matchAll(/^```(js|sh)\n(.*?)^```/gms)) {
    writeFileSync(join(folder, language === 'sh' ? 'check.sh' : (/^\/\/ (\S+)/.exec(text)?.[1] ?? '')), text);
  }
});

/** As the guide says. @returns what it printed */
async function run(program: string, script: string): Promise<string> {
  const env = { ...process.env, SHOP_URL: shop.url, SHOP_KEY: key };
  return (await promisify(execFile)(program, [script], { cwd: folder, env })).stdout;
}
/** @returns what it printed before it ended with 1 */
const fail = (program: string, script: string): Promise<string> =>
  run(program, script).then(
    () => Promise.reject(new Error(`${script} did not fail`)),
    ({ code, stdout }) => (code === 1 ? stdout : Promise.reject(new Error(`${script} ended with ${code}`))),
  );
const readTaken = (): { _id: string; type: string }[] =>
  readFileSync(join(folder, 'orders.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? JSON.parse(line) : []));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const loadFile = (lines: string) => write('erp.csv', `number,stock,price,price breaks\n${lines}\n`);
beforeEach(() => write('booked.txt', ''));

test('the guide names the scopes that its scripts need', () => {
  for (const scope of scopes) expect(guide).toContain(`\`${scope}\``);
});

test('the first check prints 200', async () => {
  expect(await run('sh', 'check.sh')).toBe('200\n');
});

test('the script of orders writes each accepted order once', async () => {
  const before = await aPaidOrder(shop, admin);
  await run('node', 'orders.mjs');
  const after = await aPaidOrder(shop, admin);
  const waiting = await aPendingOrder(shop);
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  await run('node', 'orders.mjs');
  const orders = [before, after, waiting].map(({ order }) => order._id);
  expect(readTaken().filter(({ _id }) => orders.includes(_id))).toMatchObject([
    { type: 'order.accepted', _id: before.order._id, email: before.customer.email },
    { type: 'order.accepted', _id: after.order._id, email: after.customer.email },
  ]);
});

test('the script of orders writes a refund after the acceptance', async () => {
  const { order } = await aPaidOrder(shop, admin);
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  await admin.refunds(order, { quantity: 20, returnStock: false });
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  // The same refund by the list, and again by its event.
  write('place.txt', '0');
  await run('node', 'orders.mjs');
  const lines = readTaken().filter(({ _id }) => _id === order._id);
  expect(lines).toMatchObject([
    { type: 'order.accepted' },
    { type: 'order.refunded', refund: { quantity: 20 } },
  ]);
});

test('the script of orders writes an order refunded before its acceptance', async () => {
  const { order } = await aPendingOrder(shop);
  await admin.refunds(order, { quantity: 20, returnStock: false });
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  const body = { status: 'paid', despite: 'partly-refunded' };
  await admin.put(`/order/accept/${order._id}`, body);
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  await admin.refunds(order, { returnStock: false });
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  const lines = readTaken().filter(({ _id }) => _id === order._id);
  expect(lines).toMatchObject([
    { type: 'order.refunded', refund: { quantity: 20 } },
    { type: 'order.accepted' },
    { type: 'order.refunded', refund: { amount: order.totalPrice } },
  ]);
});

test('the script of orders begins again when its place is gone', async () => {
  await numberEvents(shop.services);
  await run('node', 'orders.mjs');
  const { order } = await aPaidOrder(shop, admin);
  await numberEvents(shop.services);
  await shop.pool.query('delete from events where number < (select max(number) from events)');
  write('place.txt', '1');
  write('orders.jsonl', '{"type":"order.accepted","_id":"cut');
  await run('node', 'orders.mjs');
  expect(readTaken().filter(({ _id }) => _id === order._id)).toHaveLength(1);
});

test('the nightly script sets stocks and prices', async () => {
  const part = await aProduct(shop, { quantity: 5000, price: 10 });
  const other = await aProduct(shop, { quantity: 700, price: 5 });
  loadFile(`${part.number},4200,11.50,1000: 11.00\n${other.number},700,5,`);
  expect(await run('node', 'nightly.mjs')).toBe('1 changed, 1 as they were, 0 refused, 0 left out\n');
  expect(await readProduct(shop, part._id)).toMatchObject({
    quantity: 4200,
    price: 11.5,
    priceBreaks: [{ quantity: 1000, price: 11 }],
  });
});

test('the nightly script leaves pieces of orders that are not booked', async () => {
  const customer = await signedInAs(shop, 'user');
  const part = await aProduct(shop, { quantity: 5000, price: 10 });
  const readStock = async () => (await readProduct(shop, part._id)).quantity;
  const load = async (stock: number, booked: string[]) => {
    loadFile(`${part.number},${stock},10,`);
    write('booked.txt', booked.join('\n'));
    await run('node', 'nightly.mjs');
    return readStock();
  };
  const unpaid = await customer.orders(part, 100);
  const accepted = await customer.orders(part, 200);
  await customer.pays(accepted);
  expect(await load(4000, [])).toBe(3700);
  await admin.accepts(accepted);
  expect(await load(4000, [])).toBe(3700);
  expect(await load(3800, [accepted._id])).toBe(3700);
  await customer.cancels(unpaid);
  expect(await readStock()).toBe(3800);
});

test('the nightly script holds no pieces that were refunded', async () => {
  const [part, whole] = [await aPaidOrder(shop, admin), await aPaidOrder(shop, admin)];
  await admin.refunds(part.order, { quantity: 20, returnStock: true });
  await admin.refunds(whole.order, { returnStock: true });
  loadFile(`${part.product.number},1000,,\n${whole.product.number},1000,,`);
  expect(await run('node', 'nightly.mjs')).toMatch(/ 0 refused, 0 left out\n$/);
  const stocks = [part, whole].map(async ({ product }) => (await readProduct(shop, product._id)).quantity);
  expect(await Promise.all(stocks)).toEqual([1000 - 37, 1000]);
});

test('the nightly script holds pieces of a part that was added again', async () => {
  const { product } = await aPaidOrder(shop, admin);
  await admin.delete(`/product/${product._id}`);
  const id = await addPart({ number: product.number });
  loadFile(`${product.number.toLowerCase()},1000,,`);
  await run('node', 'nightly.mjs');
  expect((await readProduct(shop, id)).quantity).toBe(1000 - 57);
});

test('the nightly script says when more is sold than there is', async () => {
  const { product } = await aPaidOrder(shop, admin);
  loadFile(`${product.number},-7,,`);
  expect(await fail('node', 'nightly.mjs')).toContain(`${product.number}: 57 more sold than the ERP has\n`);
  expect((await readProduct(shop, product._id)).quantity).toBe(0);
});

test('the nightly script leaves no price breaks behind a price', async () => {
  const priceBreaks = [{ quantity: 500, price: 9 }];
  const part = await aProduct(shop, { quantity: 5000, price: 10, priceBreaks });
  for (const line of ['5000,12,', '5000,12,500: 4.00']) {
    loadFile(`${part.number},${line}`);
    await fail('node', 'nightly.mjs');
    expect(await readProduct(shop, part._id)).toMatchObject({ price: 10, priceBreaks });
  }
  loadFile(`${part.number},5000,12,(none)`);
  await run('node', 'nightly.mjs');
  expect(await readProduct(shop, part._id)).toMatchObject({ price: 12, priceBreaks: [] });
});

test('the nightly script names wrong lines, and stops at doubtful ones', async () => {
  const part = await aProduct(shop, { quantity: 5000, price: 10 });
  const load = (lines: string) => {
    loadFile(lines);
    return fail('node', 'nightly.mjs');
  };
  expect(await load(`UNKNOWN-1,1,1,\n${part.number},4000,cheap,`)).toMatch(
    /^line 2, number: .*\nline 2, .*\nline 3, price: .*\n.* 2 refused, 0 left out\n$/,
  );
  expect(await load(`${part.number},4000,100,`)).toMatch(/^line 2: The price moves/);
  for (const line of ['4000.00,10,', '4 000,10,', '+4000,10,'])
    expect(await load(`${part.number},${line}`)).toBe('line 2: write the stock in digits\n');
  const shifted = await load(`${part.number},4000.00,10,\nUNKNOWN-1,1,1,`);
  expect(shifted).toMatch(/^line 2: write the stock in digits\nline 3, number: /);
  for (const line of ['4000,"64,50",', '4000,64,50,x']) expect(await load(`${part.number},${line}`)).toBe('');
  expect(await readProduct(shop, part._id)).toMatchObject({ quantity: 5000, price: 10 });
});

test('the script of parcels adds each to its order', async () => {
  const customer = await signedInAs(shop, 'user');
  const order = await customer.orders(await aProduct(shop));
  await customer.pays(order);
  await admin.accepts(order);
  write('parcels.csv', `order,carrier,number\n${order.number},DHL,00340434161094042557\n999999,DHL,1\n`);
  const said = `${order.number} added\n999999 There is no such order\n`;
  expect(await fail('node', 'parcels.mjs')).toBe(said);
  expect(await fail('node', 'parcels.mjs')).toBe(said);
  const { body } = await admin.get(`/order/${order._id}`);
  expect(body.shipments).toHaveLength(1);
});

test('the receiver takes genuine events alone, each once', async () => {
  await numberEvents(shop.services);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const body = { url, types: ['part.created'] };
  const made = await admin.post('/webhook', body);
  const { _id } = made.body.data;
  const env = { ...process.env, WEBHOOK_SECRET: made.body.secret, PORT: String(port) };
  // As a full disk leaves it.
  write('events.jsonl', '{"id":"cut","data":{}');
  const receiver = spawn('node', ['receiver.mjs'], { cwd: folder, env });
  try {
    await once(receiver.stdout, 'data');
    await cutConnection(port);
    const part = await addPart();
    await numberEvents(shop.services);
    await createSender(shop.services).run();
    const read = () => readFileSync(join(folder, 'events.jsonl'), 'utf8').trim().split('\n');
    const event = JSON.parse(read()[1] ?? '');
    expect(event).toMatchObject({ type: 'part.created', data: { part } });
    const again = await admin.post(`/webhook/${_id}/deliveries`, { event: event.data.number });
    expect([again.status, read().length]).toEqual([200, 2]);
    const headers = { 'webhook-timestamp': 'x', 'webhook-signature': 'v1,\u00e9' };
    for (const odd of [{}, headers])
      expect((await fetch(url, { method: 'POST', body: '{}', headers: odd })).status).toBe(401);
  } finally {
    receiver.kill();
  }
});

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** In the middle of a body. */
async function cutConnection(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n{');
  await once(socket, 'data');
  socket.destroy();
  await once(socket, 'close');
}

/** @returns its id */
async function addPart(more: object = {}): Promise<string> {
  const image = await aPicture(shop, 'b'.repeat(64));
  const sold = { price: 2, quantity: 1000, minimumOrder: 50 };
  const part = { name: 'Coil', description: 'New.', ...sold, image, ...more };
  return (await admin.post('/product', part)).body.insertedId;
}
