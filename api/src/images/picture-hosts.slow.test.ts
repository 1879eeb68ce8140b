import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#test/answer.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import {
  type PictureHost,
  startHostedService,
  startS3Storage,
  startStrictS3Storage,
} from '#test/picture-hosts.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** Low, as AVIF takes a second for a photograph. */
const picture = (width = 900, background = '#c96730') =>
  sharp({ create: { width, height: 60, channels: 3, background } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .png()
    .toBuffer();

const send = async (shop: TestShop, admin: Person, bytes: Buffer, type = 'image/png'): Promise<Answer> => {
  const { body } = await admin.post('/images/key');
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)], { type }), 'part.png');
  return shop.request(`${body.url}?key=${body.key}`, { method: 'POST', body: form });
};

const add = (admin: Person, image: string) =>
  admin.post('/product', {
    name: 'Dot',
    description: 'One.',
    price: 1,
    quantity: 1000,
    minimumOrder: 50,
    image,
  });

const hosts = {
  'this server': async (): Promise<PictureHost> => ({ env: {}, close: async () => {} }),
  'S3-compatible storage': startS3Storage,
  'S3-compatible storage that is not listed': startStrictS3Storage,
  'a hosted image service': startHostedService,
};

describe.each(Object.entries(hosts))('pictures on %s', (_name, start) => {
  let shop: TestShop;
  let admin: Person;
  let host: PictureHost;
  beforeAll(async () => {
    host = await start();
    shop = await startShop({ env: host.env });
    admin = await signedInAs(shop, 'admin');
  });
  afterAll(async () => {
    await shop.close();
    await host.close();
  });
  const fetchPicture = (address: string) => fetch(new URL(address, shop.url));

  test("the upload's address shows the picture without metadata", async () => {
    const { status, body } = await send(shop, admin, await picture());
    expect(status).toBe(200);
    const shown = await fetchPicture(body.data.url);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const { width, exif } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    expect([width, exif]).toEqual([900, undefined]);
  });

  test('a picture exists in every width of GET /config and both formats', async () => {
    const { body } = await send(shop, admin, await picture());
    const { widths } = (await shop.request('/config')).body.images;
    for (const width of widths) {
      for (const format of ['webp', 'avif']) {
        const variant = await fetchPicture(body.data.url.replace('1280.webp', `${width}.${format}`));
        expect(variant.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        const made = await sharp(Buffer.from(await variant.arrayBuffer())).metadata();
        expect(made.width).toBe(Math.min(width, 900));
      }
    }
  });

  test('a product accepts the issued address and no other', async () => {
    const { body } = await send(shop, admin, await picture(901));
    expect((await add(admin, body.data.url)).status).toBe(200);
    const changed = body.data.url.replace(/(?<first>[^/])(?<rest>[^/]*)$/, 'x$<rest>');
    for (const other of [changed, `${body.data.url}?x`, 'https://elsewhere.example/a.webp', 'javascript:x']) {
      expect((await add(admin, other)).status, other).toBe(422);
    }
  });

  test('the same file gets the same address again', async () => {
    const bytes = await picture(902);
    const first = await send(shop, admin, bytes);
    expect((await send(shop, admin, bytes)).body).toEqual(first.body);
  });

  test('refuses large files and files that are not pictures', async () => {
    const html = Buffer.from('<script>alert(1)</script>');
    expect((await send(shop, admin, html)).status).toBe(422);
    expect((await send(shop, admin, html, 'text/html')).status).toBe(415);
    expect((await send(shop, admin, Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
  });

  test('pages may show the picture', async () => {
    const { body } = await send(shop, admin, await picture(903));
    const page = await fetch(shop.url);
    const images = /img-src (?<sources>[^;]*)/.exec(page.headers.get('content-security-policy') ?? '');
    const { origin } = new URL(body.data.url, shop.url);
    const allowed = origin === new URL(shop.url).origin ? "'self'" : origin;
    expect(images?.groups?.sources?.split(' ')).toContain(allowed);
  });

  test('an unreachable host makes uploads fail with 503', async () => {
    await host.close();
    const answer = await send(shop, admin, await picture(904));
    if (shop.config.pictureStore === null) return expect(answer.status).toBe(200);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    host = { ...host, close: async () => {} };
  });
});
