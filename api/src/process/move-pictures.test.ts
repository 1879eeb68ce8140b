import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { register, succeed } from '#test/backups.ts';
import { startHostedService, startS3Storage } from '#test/picture-hosts.ts';
import { cleanUps, isOpen, run, settings, startShopProcess } from '#test/processes.ts';

const readJson = async (url: string, headers = {}) => (await fetch(url, { headers })).json();
const listImages = async (url: string): Promise<string[]> =>
  (await readJson(`${url}/product?limit=100`)).map(({ image }: { image: string }) => image);

/** Checks the content policy of every page, also of pages without pictures, as navigation keeps it. */
async function allowsPictures(url: string, images: readonly string[]): Promise<boolean> {
  const pages = await Promise.all([`${url}/all-products`, `${url}/blogs`].map((page) => fetch(page)));
  return pages.every(({ headers }) => {
    const policy = headers.get('content-security-policy') ?? '';
    const allowed = /img-src (?<sources>[^;]*)/.exec(policy)?.groups?.sources?.split(' ') ?? [];
    return images.every((image) => image.startsWith('/') || allowed.includes(new URL(image).origin));
  });
}

/** Expects that all parts' pictures are served from addresses with this prefix. */
async function expectShown(url: string, beginning: string) {
  const images = await listImages(url);
  expect(images).toHaveLength(26);
  await expect.poll(() => allowsPictures(url, images), { timeout: 10_000 }).toBe(true);
  for (const image of images) {
    expect(image.startsWith(beginning), image).toBe(true);
    const shown = await fetch(new URL(image, url));
    await shown.body?.cancel();
    expect([shown.status, shown.headers.get('content-type')], image).toEqual([200, 'image/webp']);
  }
}

async function placeOrder(url: string) {
  const { email, token } = await register(url);
  const [part] = await readJson(`${url}/product?limit=1`);
  const { _id: productId, name: productName, minimumOrder: quantity, price, image } = part;
  const authorization = `Bearer ${token}`;
  const answer = await fetch(`${url}/order`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      email,
      name: 'Amara',
      address: '1 High Street',
      phone: '12345',
      status: 'due',

      productId,
      productName,
      quantity,
      totalPrice: quantity * price,
      image,
    }),
  });
  expect(answer.status).toBe(200);
  const { insertedId } = await answer.json();
  return async (): Promise<string> => (await readJson(`${url}/order/${insertedId}`, { authorization })).image;
}

const movePictures = (env: Record<string, string>, ...args: string[]) =>
  run(['api/src/process/move-pictures.ts', ...args], env);

async function settingsOfNoStorage() {
  const { env, close } = await startS3Storage();
  await close();
  return env;
}

test('pictures move to S3, a hosted service and back, or stay', async () => {
  const [storage, service] = [await startS3Storage(), await startHostedService()];
  cleanUps.push(storage.close, service.close);
  const given = { ...(await settings()), SEED: 'catalogue', RATE_LIMITS: 'off' };
  const url = `http://127.0.0.1:${given.PORT}`;
  await isOpen(startShopProcess(given));
  const readOrderImage = await placeOrder(url);
  await expectShown(url, '/images/');
  const files = readdirSync(join(given.DATA_DIR, 'images')).length;

  const failed = movePictures({ ...given, ...(await settingsOfNoStorage()) });
  expect(await failed.ended).toBe(1);
  expect(failed.said()).toContain('26 left.');
  await expectShown(url, '/images/');

  const rehearsal = movePictures({ ...given, ...storage.env }, '--dry-run');
  await succeed(rehearsal);
  expect(rehearsal.said()).toContain('26 pictures would be moved, 0 left.');
  await expectShown(url, '/images/');

  const moved = movePictures({ ...given, ...storage.env });
  await succeed(moved);
  expect(moved.said()).toContain('Moved 26 pictures of 26 parts and 1 orders; 0 left.');
  await expectShown(url, String(storage.env.S3_ENDPOINT));
  expect(await readOrderImage()).toContain(String(storage.env.S3_ENDPOINT));
  const again = movePictures({ ...given, ...storage.env });
  await succeed(again);
  expect(again.said()).toContain('Moved 0 pictures of 0 parts and 0 orders; 0 left.');

  await succeed(movePictures({ ...given, ...service.env }));
  await expectShown(url, String(service.env.IMAGE_HOST_ORIGINS));

  await succeed(movePictures(given));
  await expectShown(url, '/images/');
  expect(await readOrderImage()).toMatch(/^\/images\//);
  expect(readdirSync(join(given.DATA_DIR, 'images'))).toHaveLength(files);
});
