import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Person, signedInAs } from '#test/builders.ts';
import {
  type PictureHost,
  startHostedService,
  startS3Storage,
  startStrictS3Storage,
  startStumblingS3Storage,
} from '#test/picture-hosts.ts';
import { drawPicture, sendPicture } from '#test/pictures.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { prepared, startForTest, usePerson, useShop } from '#test/use-shop.ts';

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
    const { status, body } = await sendPicture(shop, admin, await drawPicture(900));
    expect(status).toBe(200);
    const shown = await fetchPicture(body.data.url);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const { width, exif } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    expect([width, exif]).toEqual([900, undefined]);
  });

  test('a picture exists in every width of GET /config and both formats', async () => {
    const { body } = await sendPicture(shop, admin, await drawPicture(900));
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
    const { body } = await sendPicture(shop, admin, await drawPicture(901));
    expect((await add(admin, body.data.url)).status).toBe(200);
    const changed = body.data.url.replace(/(?<first>[^/])(?<rest>[^/]*)$/, 'x$<rest>');
    for (const other of [changed, `${body.data.url}?x`, 'https://elsewhere.example/a.webp', 'javascript:x']) {
      expect((await add(admin, other)).status, other).toBe(422);
    }
  });

  test('the same file gets the same address again', async () => {
    const bytes = await drawPicture(902);
    const first = await sendPicture(shop, admin, bytes);
    expect((await sendPicture(shop, admin, bytes)).body).toEqual(first.body);
  });

  test('pages may show the picture', async () => {
    const { body } = await sendPicture(shop, admin, await drawPicture(903));
    const page = await fetch(shop.url);
    const images = /img-src (?<sources>[^;]*)/.exec(page.headers.get('content-security-policy') ?? '');
    const { origin } = new URL(body.data.url, shop.url);
    const allowed = origin === new URL(shop.url).origin ? "'self'" : origin;
    expect(images?.groups?.sources?.split(' ')).toContain(allowed);
  });

  test('an unreachable host makes uploads fail with 503', async () => {
    await host.close();
    const answer = await sendPicture(shop, admin, await drawPicture(904));
    if (shop.config.pictureStore === null) return expect(answer.status).toBe(200);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    host = { ...host, close: async () => {} };
  });
});

/** Each draws a picture of another width. */
let width = 30;

describe('S3-compatible storage that fails', () => {
  const storage = prepared(startStumblingS3Storage, (started) => started.close());
  const shop = useShop(() => ({ env: storage.env }));
  const admin = usePerson(shop, 'admin');
  afterEach(() => storage.failures.clear());

  async function send() {
    width += 1;
    return sendPicture(shop, admin, await drawPicture(width));
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
});

describe('a hosted image service', () => {
  const lines: string[] = [];

  const service = prepared(startHostedService, (started) => started.close());
  const shop = useShop(() => ({ env: service.env, onLine: (line) => lines.push(line) }));
  const admin = usePerson(shop, 'admin');

  /** Sends a new picture, or the last one with `again`. */
  async function send(again = false) {
    if (!again) width += 1;
    return sendPicture(shop, admin, await drawPicture(width));
  }

  const answerWith = (url: unknown) => ({ status: 200, body: JSON.stringify({ data: { url } }) });

  test.each([
    ['an address of another origin', answerWith('https://elsewhere.example/a.webp')],
    ['an address that runs', answerWith('javascript:alert(1)')],
    ['a path', answerWith('/images/a.webp')],
    ['an address with a password', answerWith('http://a:b@127.0.0.1/a.webp')],
    ['an address without end', answerWith(`http://127.0.0.1/${'a'.repeat(3000)}`)],
    ['no address', answerWith(null)],
    ['something else than JSON', { status: 200, body: '<html>' }],
    ['very much', { status: 200, body: ' '.repeat(100_000) }],
    ['a failure', { status: 500, body: 'oh no' }],
  ])('a service that answers %s gives the shop no picture', async (_what, answer) => {
    service.answerWith(answer);
    const { status, body, headers } = await send();
    expect([status, headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(JSON.stringify(body)).not.toMatch(/elsewhere|javascript|oh no/);
    shop.expectErrors(1);
    service.answerWith(null);
    expect((await send(true)).status).toBe(200);
  });

  test('a picture that the service lost is posted again', async () => {
    const first = await send();
    expect((await send(true)).body).toEqual(first.body);
    service.lose();
    const again = await send(true);
    expect(again.body.data.url).not.toBe(first.body.data.url);
    expect((await fetch(again.body.data.url)).status).toBe(200);
  });

  test("the log shows the service's reason without the key", async () => {
    const refuse = (message: string) =>
      service.answerWith({ status: 400, body: JSON.stringify({ error: { code: 100, message } }) });
    refuse('Invalid API v1 key.');
    expect((await send()).status).toBe(503);
    expect(lines.join()).toContain('the image service answered 400 (100): Invalid API v1 key.');
    lines.length = 0;
    refuse(`Unknown: ${service.env.IMAGE_HOST_KEY}`);
    expect((await send()).status).toBe(503);
    expect(lines.join()).toContain('the image service answered 400 (100)');
    expect(lines.join()).not.toContain('Unknown');
    service.answerWith(null);
    shop.expectErrors(2);
  });

  test("responses and logs never contain the service's key", async () => {
    const { body } = await admin.post('/images/key');
    const key = String(service.env.IMAGE_HOST_KEY);
    for (const text of [JSON.stringify(body), ...lines]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(encodeURIComponent(key));
    }
  });
});

test("pages allow the origin of another process's picture", async () => {
  const storage = await startS3Storage();
  onTestFinished(storage.close);
  const shop = await startForTest();
  const other = await startForTest({ env: storage.env, shareDatabaseWith: shop });
  const readPolicy = async () => (await fetch(`${shop.url}/blogs`)).headers.get('content-security-policy');
  const origin = String(storage.env.S3_ENDPOINT);
  expect(await readPolicy()).not.toContain(origin);
  const { body } = await sendPicture(other, await signedInAs(other, 'admin'), await drawPicture(60));
  expect(body.data.url).toContain(origin);
  await expect.poll(readPolicy, { timeout: 10_000 }).toContain(origin);
});
