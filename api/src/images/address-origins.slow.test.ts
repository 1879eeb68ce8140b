import sharp from 'sharp';
import { expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { startS3Storage } from '#test/picture-hosts.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

const readPolicy = async ({ url }: TestShop) =>
  (await fetch(`${url}/blogs`)).headers.get('content-security-policy');

async function sendPicture(shop: TestShop): Promise<string> {
  const { token } = await signedInAs(shop, 'admin');
  const { body } = await shop.request('/images/key', { method: 'POST', token });
  const create = { width: 60, height: 40, channels: 3, background: '#c96730' } as const;
  const form = new FormData();
  const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
  form.set('image', new Blob([bytes], { type: 'image/png' }), 'part.png');
  const sent = await shop.request(`${body.url}?key=${body.key}`, { method: 'POST', body: form });
  return sent.body.data.url;
}

test("pages allow the origin of another process's picture", async () => {
  const storage = await startS3Storage();
  const shop = await startShop();
  const other = await startShop({ env: storage.env, shareDatabaseWith: shop });
  try {
    const origin = String(storage.env.S3_ENDPOINT);
    expect(await readPolicy(shop)).not.toContain(origin);
    expect(await sendPicture(other)).toContain(origin);
    await expect.poll(() => readPolicy(shop), { timeout: 10_000 }).toContain(origin);
  } finally {
    await other.close();
    await shop.close();
    await storage.close();
  }
});
