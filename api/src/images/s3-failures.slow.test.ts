import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { startStumblingS3Storage } from '#test/picture-hosts.ts';
import { prepared, usePerson, useShop } from '#test/use-shop.ts';

let width = 30;

const storage = prepared(startStumblingS3Storage, (started) => started.close());
const shop = useShop(() => ({ env: storage.env }));
const admin = usePerson(shop, 'admin');
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
  shop.expectErrors(1);
});
