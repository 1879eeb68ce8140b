import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '#src/platform/core/clock.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { type PictureHost, startS3Storage, startStrictS3Storage } from '#test/picture-hosts.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

// Files that the page sends to S3-compatible storage directly, at the address from `POST /images/key`.
let storage: PictureHost;
let shop: TestShop;
let admin: Person;
let now = new Date();
const clock: Clock = { now: () => now };

beforeAll(async () => {
  storage = await startS3Storage();
  shop = await startShop({ env: storage.env, clock });
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
  await storage.close();
});

const png = (width: number) =>
  sharp({ create: { width, height: 40, channels: 3, background: '#c96730' } })
    .png()
    .toBuffer();

const open = async (bytes: number | string, by = admin) =>
  shop.request(`/images/key?bytes=${bytes}`, { method: 'POST', token: by.token });

const put = (address: string, bytes: Buffer, type = 'application/octet-stream') =>
  fetch(address, { method: 'PUT', headers: { 'content-type': type }, body: new Uint8Array(bytes) });

const take = (key: string, by = admin) =>
  shop.request('/images/sent', { method: 'POST', token: by.token, body: { key } });

test('a direct upload is available in every width', async () => {
  const bytes = await png(50);
  const { body: target } = await open(bytes.length);
  expect((await put(target.direct.url, bytes)).status).toBe(200);
  const { status, body } = await take(target.key);
  expect(status).toBe(200);
  const shown = await fetch(body.data.url.replace('1280.webp', '160.avif'));
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/avif']);
});

test('the original is deleted after processing', async () => {
  const bytes = await png(51);
  const { body: target } = await open(bytes.length);
  await put(target.direct.url, bytes);
  const original = target.direct.url.split('?')[0];
  expect((await fetch(original)).status).toBe(200);
  await take(target.key);
  expect((await fetch(original)).status).toBe(404);
});

test('the storage accepts exactly the announced number of bytes', async () => {
  const bytes = await png(52);
  const { body: target } = await open(bytes.length);
  expect((await put(target.direct.url, Buffer.concat([bytes, Buffer.from('x')]))).status).toBe(403);
  expect((await put(target.direct.url, bytes.subarray(1))).status).toBe(403);
});

test('the storage serves no upload as a page that runs scripts', async () => {
  const html = Buffer.from('<script>alert(1)</script>');
  const { body: target } = await open(html.length);
  expect((await put(target.direct.url, html, 'text/html')).status).toBe(403);
  expect((await put(target.direct.url, html, '')).status).toBe(403);
  expect((await put(target.direct.url, html)).status).toBe(200);
  const lies = await fetch(target.direct.url.split('?')[0]);
  expect(lies.headers.get('content-type')).toBe('application/octet-stream');
});

test('an invalid size is refused before the upload', async () => {
  for (const bytes of [0, 10 * 1024 * 1024 + 1, -1, 'many', '1e3']) {
    expect((await open(bytes)).status, String(bytes)).toBe(422);
  }
  expect((await open(10 * 1024 * 1024)).body.direct.url).toContain('http');
});

test('a key without an upload or with no picture is refused', async () => {
  const html = Buffer.from('<script>alert(1)</script>');
  const { body: target } = await open(html.length);
  expect((await take(target.key)).status).toBe(422);
  await put(target.direct.url, html);
  expect((await take(target.key)).status).toBe(422);
});

test('a key belongs to its administrator, expires and cannot be forged', async () => {
  const bytes = await png(53);
  const { body: target } = await open(bytes.length);
  await put(target.direct.url, bytes);
  const other = await signedInAs(shop, 'admin');
  expect((await take(target.key, other)).status).toBe(422);
  expect((await take(`${target.key}x`)).status).toBe(422);
  now = new Date(now.getTime() + 601_000);
  expect((await take(target.key)).status).toBe(422);
});

test('an abandoned upload is deleted after a day', async () => {
  const bytes = await png(54);
  const { body: target } = await open(bytes.length);
  await put(target.direct.url, bytes);
  const original = target.direct.url.split('?')[0];
  await shop.services.images.purgeUploads();
  expect((await fetch(original)).status).toBe(200);
  now = new Date(now.getTime() + 86_401_000);
  await shop.services.images.purgeUploads();
  expect((await fetch(original)).status).toBe(404);
});

test('a key without list permission takes uploads and keeps originals private', async () => {
  const strict = await startStrictS3Storage();
  const careful = await startShop({ env: strict.env });
  try {
    const { token } = await signedInAs(careful, 'admin');
    const bytes = await png(55);
    const { body: target } = await careful.request(`/images/key?bytes=${bytes.length}`, {
      method: 'POST',
      token,
    });
    const sent = { method: 'POST', token, body: { key: target.key } };
    expect((await careful.request('/images/sent', sent)).status).toBe(422);
    expect((await put(target.direct.url, bytes)).status).toBe(200);
    expect((await fetch(target.direct.url.split('?')[0])).status).toBe(403);
    const { status, body } = await careful.request('/images/sent', sent);
    expect(status).toBe(200);
    expect((await fetch(body.data.url)).status).toBe(200);
    expect(careful.errors).toEqual([]);
  } finally {
    await careful.close();
    await strict.close();
  }
});

test('a file sent again after processing is deleted after a day', async () => {
  const someone = await signedInAs(shop, 'admin');
  const bytes = await png(56);
  const { body: target } = await open(bytes.length, someone);
  await put(target.direct.url, bytes);
  expect((await take(target.key, someone)).status).toBe(200);
  const original = target.direct.url.split('?')[0];
  expect((await put(target.direct.url, bytes)).status).toBe(200);
  now = new Date(now.getTime() + 86_401_000);
  await shop.services.images.purgeUploads();
  expect((await fetch(original)).status).toBe(404);
});

test('pictures in the local folder allow no direct upload', async () => {
  const local = await startShop();
  const someone = await signedInAs(local, 'admin');
  const { body } = await local.request('/images/key?bytes=100', { method: 'POST', token: someone.token });
  expect(Object.keys(body)).toEqual(['url', 'key', 'expiresIn']);
  const { status } = await local.request('/images/sent', {
    method: 'POST',
    token: someone.token,
    body: { key: body.key },
  });
  expect(status).toBe(422);
  await local.close();
});
