import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Person, signedInAs } from '#test/builders.ts';
import { type StumblingStorage, startStumblingS3Storage } from '#test/picture-hosts.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let storage: StumblingStorage;
let shop: TestShop;
let admin: Person;
let width = 30;

beforeAll(async () => {
  storage = await startStumblingS3Storage();
  shop = await startShop({ env: storage.env });
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  await shop.close();
  await storage.close();
});
afterEach(() => storage.failures.clear());

/** A new picture. */
function draw(): Promise<Buffer> {
  width += 1;
  return sharp({ create: { width, height: 40, channels: 3, background: '#c96730' } })
    .png()
    .toBuffer();
}

async function send() {
  const { body } = await admin.post('/images/key');
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(await draw())], { type: 'image/png' }), 'part.png');
  return shop.request(`${body.url}?key=${body.key}`, { method: 'POST', body: form });
}

test.each([
  ['PUT', [500]],
  ['PUT', [503, 500]],
  ['HEAD', [503]],
])('an upload survives a %s that is answered %s', async (method, statuses) => {
  storage.failures.set(method, [...statuses]);
  const { status, body } = await send();
  expect(status).toBe(200);
  expect((await fetch(body.data.url)).status).toBe(200);
});

test('a storage that keeps failing leads to 503', async () => {
  storage.failures.set('PUT', Array(3).fill(503));
  expect((await send()).status).toBe(503);
  expect(storage.failures.get('PUT')).toEqual([]);
});
