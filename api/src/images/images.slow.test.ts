import { readdirSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FieldError } from '@parts-forge/contract/calls/problem-body';
import { eq } from 'drizzle-orm';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { images } from '#src/images/schema.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import { users } from '#src/users/schema.ts';
import type { Answer } from '#test/answer.ts';
import { signedInAs } from '#test/builders.ts';
import { atFullSize } from '#test/full-size.ts';
import { asBlob, drawPicture, openUpload, pictureForm, sendPicture } from '#test/pictures.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

let now = new Date('2026-11-21T12:00:00Z');
const clock: Clock = { now: () => now };

const shop = useShop({ clock });
const admin = usePerson(shop, 'admin');

const picture = async (format: 'png' | 'jpeg' | 'webp' | 'avif' | 'gif', width = 900, height = 60) =>
  sharp(await drawPicture(width, height))
    .keepExif()
    .toFormat(format)
    .toBuffer();
const send = (bytes: Buffer, type: string) => sendPicture(shop, admin, bytes, type);
/** Sends a small picture. */
const sendWith = async (key: string) => {
  const body = pictureForm(await picture('png', 4, 4));
  return shop.request(`/images/upload?key=${encodeURIComponent(key)}`, { method: 'POST', body });
};
const readKey = async ({ token }: { token: string } = admin): Promise<string> =>
  (await shop.request('/images/key', { method: 'POST', token })).body.key;

/** The uploaded picture as pages show it. */
async function shown({ body }: Answer): Promise<Sharp> {
  const response = await fetch(shop.url + body.data.url);
  return sharp(Buffer.from(await response.arrayBuffer()));
}
const folder = () => path.join(shop.config.dataDir, 'images');
const listFiles = ({ body }: Answer) =>
  readdirSync(folder()).filter((name) => name.startsWith(body.data.url.slice(8, 72)));

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
    'a %s upload is served in every width as WebP and AVIF',
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

  test('an upload that is no picture is refused under any type', async () => {
    const html = Buffer.from('<script>alert(1)</script>');
    expect((await send(html, 'image/png')).status).toBe(422);
    expect((await send(html, 'text/html')).status).toBe(415);
    const vector = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect((await send(vector, 'image/png')).status).toBe(422);
    expect((await send(vector, 'image/svg+xml')).status).toBe(415);
    expect((await send(await picture('png', 9, 9), 'application/octet-stream')).status).toBe(200);
  });

  test.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
    'a truncated %s is refused with advice',
    async (format) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const whole = await sharp({
        create: { width: 90, height: 60, channels: 3, background: '#000', noise },
      })
        .toFormat(format)
        .toBuffer();
      const { status, body } = await send(whole.subarray(0, whole.length * 0.6), `image/${format}`);
      expect([status, body.detail]).toEqual([
        422,
        'This picture is damaged or incomplete. Download or export it again, and send the new file.',
      ]);
    },
  );

  test('a picture over 10 MiB or 50 megapixels is refused', async () => {
    const padded = Buffer.alloc(10 * 1024 * 1024 + 1);
    (await picture('png', 9, 9)).copy(padded);
    expect((await send(padded.subarray(0, -1), 'image/png')).status).toBe(200);
    expect((await send(padded, 'image/png')).status).toBe(413);
    for (const height of atFullSize([4167, 12_000], [4167])) {
      // Small on the wire, up to 430 MB decoded.
      const bomb = await picture('png', 12_000, height);
      expect(bomb.length).toBeLessThan(2 * 1024 * 1024);
      const { status, body } = await send(bomb, 'image/png');
      expect([status, body.detail]).toEqual([422, expect.stringContaining('at most 50 megapixels')]);
    }
  });

  test('a picture is turned upright and loses its location', async () => {
    const sideways = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#369' } })
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(sideways).metadata()).orientation).toBe(6);
    const { width, height, orientation, exif, xmp, iptc } = await (
      await shown(await send(sideways, 'image/jpeg'))
    ).metadata();
    expect([width, height, orientation, exif, xmp, iptc]).toEqual([20, 30, ...Array(4).fill(undefined)]);
  });

  test('print and 16-bit colours are converted for screens', async () => {
    const green = { create: { width: 8, height: 8, channels: 3, background: '#20a040' } } as const;
    for (const original of [
      await sharp(green).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
      await sharp(green).toColourspace('rgb16').png().toBuffer(),
      await sharp(green).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer(),
    ]) {
      const back = await shown(await send(original, 'image/jpeg'));
      const { space, depth, icc } = await back.metadata();
      expect([space, depth, icc]).toEqual(['srgb', 'uchar', undefined]);
      const [red = 0, greenMean = 0, blue = 0] = (await back.stats()).channels.map(({ mean }) => mean);
      expect(greenMean).toBeGreaterThan(red + 50);
      expect(greenMean).toBeGreaterThan(blue + 30);
    }
  });

  test('an animation shows its first frame', async () => {
    const raw = { width: 16, height: 48, channels: 3, pageHeight: 16 } as const;
    const frames = sharp(Buffer.concat([20, 120, 220].map((grey) => Buffer.alloc(16 * 16 * 3, grey))), {
      raw,
    });
    for (const format of ['gif', 'webp'] as const) {
      const moving = await frames
        .clone()
        .toFormat(format, { delay: [10, 10, 10] })
        .toBuffer();
      expect((await sharp(moving).metadata()).pages).toBe(3);
      const { width, height, pages } = await (await shown(await send(moving, `image/${format}`))).metadata();
      expect([width, height, pages]).toEqual([16, 16, undefined]);
    }
  });

  test("data behind a picture's end is dropped", async () => {
    const both = Buffer.concat([await picture('png', 9, 9), Buffer.from('<script>alert(1)</script>')]);
    const answer = await send(both, 'image/png');
    expect(answer.status).toBe(200);
    for (const name of listFiles(answer)) {
      const { body } = await shop.request(`/images/${name}`);
      expect(body).not.toContain('script');
    }
  });

  test("repeated and concurrent uploads keep a picture's existing files", async () => {
    const bytes = await picture('png', 33, 33);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(bytes, 'image/png')));
    const [first] = answers as [Answer];
    expect(answers.map(({ body }) => body)).toEqual(Array(5).fill(first.body));
    expect(listFiles(first)).toHaveLength(8);

    // As from an earlier encoder.
    const [present, missing] = ['-160.webp', '-640.avif'].map((ending) =>
      path.join(folder(), first.body.data.url.slice(8, 72) + ending),
    ) as [string, string];
    await writeFile(present, 'earlier');
    expect((await send(bytes, 'image/png')).body).toEqual(first.body);
    await rm(missing);
    expect((await send(bytes, 'image/png')).body).toEqual(first.body);
    expect((await shop.request(`/images/${path.basename(present)}`)).body).toBe('earlier');
    expect(listFiles(first)).toHaveLength(8);
  });

  test('a repeated upload repairs an empty file', async () => {
    const bytes = await picture('png', 45, 45);
    const first = await send(bytes, 'image/png');
    const [name = ''] = listFiles(first);
    await writeFile(path.join(folder(), name), '');
    expect((await send(bytes, 'image/png')).body.data.url).toBe(first.body.data.url);
    expect(statSync(path.join(folder(), name)).size).toBeGreaterThan(0);
  });

  test('a failed store leaves no data and answers 503', async () => {
    const bytes = await picture('png', 44, 44);
    await rename(folder(), `${folder()}-away`);
    await writeFile(folder(), 'in the way');
    const refused = await send(bytes, 'image/png');
    await rm(folder());
    await rename(`${folder()}-away`, folder());
    expect([refused.status, refused.body.type]).toEqual([503, 'urn:parts-forge:problem:unavailable']);
    expect(await shop.db.select().from(images).where(eq(images.width, 44))).toEqual([]);
    shop.expectErrors(1);
    expect((await send(bytes, 'image/png')).status).toBe(200);
  });

  test('an upload without exactly one picture field is refused', async () => {
    const bytes = await picture('png', 9, 9);
    const sendParts = async (...parts: [name: string, value: Blob | string][]) => {
      const form = new FormData();
      for (const [name, value] of parts) form.append(name, value);
      const target = await openUpload(shop, admin);
      const { status, body } = await shop.request(target, { method: 'POST', body: form });
      return [status, ...(body.errors ?? []).map(({ path, message }: FieldError) => `${path}: ${message}`)];
    };
    const required = [422, 'image: Image is Required'];
    expect(await sendParts(['file', asBlob(bytes)])).toEqual(required);
    expect(await sendParts(['image', 'a text'])).toEqual(required);
    expect(await sendParts(['image', asBlob(Buffer.alloc(0))])).toEqual(required);
    const one = [422, 'image: Must be one picture'];
    expect(await sendParts(['image', asBlob(bytes)], ['image', asBlob(bytes)])).toEqual(one);
    expect(await sendParts(['image', asBlob(bytes)], ['other', asBlob(bytes)])).toEqual(one);
    expect(await sendParts(['note', 'beside it'], ['image', asBlob(bytes)])).toEqual([200]);
  });

  test('a missing or truncated form is refused', async () => {
    const target = await openUpload(shop, admin);
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      shop.request(target, { method: 'POST', body, headers });
    expect((await post({})).status).toBe(415);
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    const begun =
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
    expect((await post(`${begun}abc`, type)).status).toBe(400);
    expect((await post('abc', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  });

  test('an unknown picture name gets 404', async () => {
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

describe('the upload key', () => {
  test('an upload key is valid for ten minutes and cannot be forged', async () => {
    const { body } = await admin.post('/images/key');
    const { key: early, expiresIn } = body;
    expect(expiresIn).toBe(600);
    now = new Date(now.getTime() + 599_000);
    expect((await sendWith(early)).status).toBe(200);
    now = new Date(now.getTime() + 1000);
    expect((await sendWith(early)).status).toBe(401);
    expect((await sendWith(`${early}x`)).status).toBe(401);
    for (const wrong of ['nothing', '', '.', `${'A'.repeat(40)}.${early.split('.')[1]}`]) {
      expect((await sendWith(wrong)).status).toBe(401);
    }
    const none = await shop.request('/images/upload', { method: 'POST', body: new FormData() });
    expect(none.status).toBe(401);
  });

  test("an upload key dies with its owner's administrator role", async () => {
    const former = await signedInAs(shop, 'admin');
    const key = await readKey(former);
    expect((await sendWith(key)).status).toBe(200);
    await shop.db.update(users).set({ role: 'user' }).where(eq(users.id, former.userId));
    expect((await sendWith(key)).status).toBe(401);
  });

  test('an upload key dies with the API key that asked for it', async () => {
    const made = await admin.post('/key', { name: 'ERP', scopes: ['catalogue:write'] });
    const key = await readKey({ token: made.body.key });
    expect((await sendWith(key)).status).toBe(200);
    expect((await admin.delete(`/key/${made.body.data._id}`)).status).toBe(200);
    expect((await sendWith(key)).status).toBe(401);
  });
});
