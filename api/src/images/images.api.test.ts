import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '#src/clock.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
let admin: Person;
let now = new Date('2026-11-21T12:00:00Z');
const clock: Clock = { now: () => now };

beforeAll(async () => {
  shop = await startShop({ clock });
  admin = await signedInAs(shop, 'admin');
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

const picture = (format: 'png' | 'jpeg' | 'webp' | 'avif' | 'gif', width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#c96730' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .toFormat(format)
    .toBuffer();
const key = async (): Promise<{ url: string; key: string }> =>
  (await shop.request('/images/key', { method: 'POST', token: admin.token })).body;

async function send(
  bytes: Buffer,
  type: string,
  { field = 'image', withKey }: { field?: string; withKey?: string } = {},
) {
  const target = await key();
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(bytes)], { type }), 'part.bin');
  const response = await fetch(`${shop.url}${target.url}?key=${withKey ?? target.key}`, {
    method: 'POST',
    body: form,
  });
  return {
    status: response.status,
    body: (await response.json()) as { data: { url: string }; type?: string },
  };
}

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
    'sent as %s comes back in every width as WebP and AVIF, for ever',
    async (format) => {
      const { status, body } = await send(await picture(format), `image/${format}`);
      expect(status).toBe(200);
      expect(body.data.url).toMatch(/^\/images\/[0-9a-f]{64}-1280\.webp$/);
      for (const [width, ending, right] of [
        [160, 'webp', 160],
        [320, 'avif', 320],
        [640, 'webp', 640],
        [1280, 'avif', 900],
      ] as const) {
        const response = await fetch(shop.url + body.data.url.replace('1280.webp', `${width}.${ending}`));
        expect(response.headers.get('content-type')).toBe(`image/${ending}`);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        const { width: real, exif } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
        expect([real, exif]).toEqual([right, undefined]);
      }
    },
  );

  test('becomes the picture of a product', async () => {
    const { body } = await send(await picture('png', 1, 1), 'image/png');
    const added = await shop.request('/product', {
      method: 'POST',
      token: admin.token,
      body: {
        name: 'Dot',
        description: 'One pixel.',
        price: 1,
        quantity: 1000,
        minimumOrder: 50,
        image: body.data.url,
      },
    });
    expect(added.status).toBe(200);
  });

  test('that is none is refused, whatever it calls itself', async () => {
    const html = Buffer.from('<script>alert(1)</script>');
    expect((await send(html, 'image/png')).status).toBe(422);
    expect((await send(html, 'text/html')).status).toBe(415);
    const vector = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect((await send(vector, 'image/png')).status).toBe(422);
    expect((await send(vector, 'image/svg+xml')).status).toBe(415);
    expect((await send(await picture('png', 9, 9), 'application/octet-stream')).status).toBe(200);
    const cut = (await picture('png')).subarray(0, 100);
    expect((await send(cut, 'image/png')).status).toBe(422);
  });

  test('of more than 10 MiB or 50 megapixels is refused', async () => {
    expect((await send(Buffer.alloc(10 * 1024 * 1024 + 1), 'image/png')).status).toBe(413);
    expect((await send(await picture('png', 8000, 7000), 'image/png')).status).toBe(422);
  });

  test('in another field, or no multipart, is refused', async () => {
    expect((await send(await picture('png'), 'image/png', { field: 'file' })).status).toBe(422);
    const target = await key();
    const json = await shop.request(`${target.url}?key=${target.key}`, { method: 'POST', body: {} });
    expect(json.status).toBe(415);
  });

  test('of a name that was never given out is 404', async () => {
    for (const file of [
      'x',
      '..%2f..%2fetc%2fpasswd',
      `${'0'.repeat(64)}-1280.webp`,
      `${'0'.repeat(64)}-99.webp`,
    ]) {
      expect((await shop.request(`/images/${file}`)).status).toBe(404);
    }
  });
});

describe('the key of an upload', () => {
  test('is for administrators', async () => {
    const customer = await signedInAs(shop, 'user');
    expect((await shop.request('/images/key', { method: 'POST' })).status).toBe(401);
    expect((await shop.request('/images/key', { method: 'POST', token: customer.token })).status).toBe(403);
    const { status, body } = await shop.request('/images/key', { method: 'POST', token: admin.token });
    expect([status, body.expiresIn]).toEqual([200, 600]);
  });

  test('holds for ten minutes, and cannot be made up', async () => {
    const bytes = await picture('png', 4, 4);
    const early = await key();
    now = new Date(now.getTime() + 599_000);
    expect((await send(bytes, 'image/png', { withKey: early.key })).status).toBe(200);
    now = new Date(now.getTime() + 1000);
    expect((await send(bytes, 'image/png', { withKey: early.key })).status).toBe(401);
    expect((await send(bytes, 'image/png', { withKey: `${early.key}x` })).status).toBe(401);
    expect((await send(bytes, 'image/png', { withKey: 'nothing' })).status).toBe(401);
  });
});
