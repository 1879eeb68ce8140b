import { randomUUID } from 'node:crypto';
import { partPath } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { eq } from 'drizzle-orm';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { products } from '#src/products/schema.ts';
import { aProduct, readProduct, signedInAs } from '#test/builders.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

const shop = useShop({ env: { ORIGIN: 'http://shop.example', PAYMENTS: 'sandbox' } });

const html = { accept: 'text/html' };
const open = (path: string) => shop.request(path, { headers: html });

/** A display with every optional field. */
async function aWholePart(): Promise<Product> {
  const { _id } = await aProduct(shop, { name: 'OLED display 6.1"', price: 64.5, quantity: 24_800 });
  await shop.services.changes.write(async (tx, changed) => {
    await tx
      .update(products)
      .set({
        kind: 'Displays',
        fits: ['Norda 12', 'Kite A3'],
        attributes: [{ name: 'Density', value: '460 ppi' }],
        moreImages: [`/images/${'1'.repeat(64)}-1280.webp`],
        priceBreaks: [{ quantity: 500, priceCents: 6120 }],
      })
      .where(eq(products.id, _id));
    changed(`product:${_id}`, 'products', 'catalogue');
  });
  return readProduct(shop, _id);
}

function readStructured(body: string): Record<string, unknown> {
  const [, json = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? [];
  return JSON.parse(json);
}

describe("a part's page", () => {
  test('the server renders the page with all data of the part', async () => {
    const part = await aWholePart();
    const { status, body, headers } = await open(partPath(part));
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    for (const text of [
      'OLED display 6.1',
      part.number,
      'Flexible panel bonded to its cover glass.',
      'from 500',
      '$61.20',
      '24,800',
      'Norda 12',
      '460 ppi',
      `/purchase/${part._id}?quantity=50`,
    ]) {
      expect(body).toContain(text);
    }
    expect(body).not.toMatch(/\sstyle="/);
  });

  test('an order appears at once, and unchanged pages answer 304', async () => {
    const part = await aProduct(shop, { quantity: 1000 });
    const first = await open(partPath(part));
    expect(first.body).toContain('1,000');
    const etag = first.headers.get('etag') ?? '';
    const again = await shop.request(partPath(part), { headers: { ...html, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    await (await signedInAs(shop, 'user')).orders(part, 100);
    const after = await shop.request(partPath(part), { headers: { ...html, cookie: 'shop.wrote=1' } });
    expect(after.body).toContain('>900<');
  });

  test("search engines get the part's data and its price tiers", async () => {
    const part = await aWholePart();
    const { body } = await open(partPath(part));
    const address = `http://shop.example${partPath(part)}`;
    expect(body).toContain(`<link rel="canonical" href="${address}"/>`);
    expect(body).toContain(`<meta property="og:image" content="http://shop.example${part.image}"/>`);
    expect(readStructured(body)).toMatchObject({
      '@type': 'Product',
      sku: part.number,
      image: part.images.map((image) => `http://shop.example${image}`),
      isAccessoryOrSparePartFor: [{ name: 'Norda 12' }, { name: 'Kite A3' }],
      offers: [
        {
          '@type': 'Offer',
          price: '64.50',
          priceCurrency: 'USD',
          availability: 'https://schema.org/InStock',
          eligibleQuantity: { minValue: 50, maxValue: 499 },
          url: address,
        },
        { price: '61.20', eligibleQuantity: { minValue: 500 } },
      ],
    });
    expect((await shop.request('/sitemap.xml')).body).toContain(`<loc>${address}</loc>`);
  });

  test('a wrong or missing name redirects permanently to the right address', async () => {
    const part = await aProduct(shop, { name: 'SIM tray kit' });
    for (const path of [
      `/products/${part._id}/sim-card`,
      `/products/${part._id}`,
      `/products/${part._id.toUpperCase()}/sim-tray-kit`,
    ]) {
      const { status, headers } = await open(path);
      expect([status, headers.get('location')]).toEqual([301, `/products/${part._id}/sim-tray-kit`]);
    }
  });

  test('an unknown or deleted part shows the not-found page', async () => {
    const fits = ['Norda 97'];
    const part = await aProduct(shop, { name: 'Screw set', fits, price: 77.31, quantity: 8642 });
    const other = await aProduct(shop, { name: 'Screw kit', fits });
    expect((await open(partPath(part))).status).toBe(200);
    const admin = await signedInAs(shop, 'admin');
    await admin.delete(`/product/${part._id}`);
    for (const path of [partPath(part), `/products/${part._id}`]) {
      const { status, body } = await open(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body).toContain('<title>Screw set is no longer sold · Parts Forge</title>');
      for (const text of ['This part is no longer sold.', partPath(other), 'fits 1 of 1 model'])
        expect(body).toContain(text);
      expect(body).not.toMatch(/77[.]31|8,?642|ld[+]json/);
    }
    for (const path of [`/products/${randomUUID()}/x`, '/products/no-id/x']) {
      const { status, body } = await open(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body).toContain('Take Me Home');
    }
    expect((await shop.request('/sitemap.xml')).body).not.toContain(part._id);
  });

  test('the page lists related parts', async () => {
    const part = await aWholePart();
    const other = await aWholePart();
    const { body } = await open(partPath(part));
    expect(body).toContain('Related parts');
    expect(body).toContain(partPath(other));
  });

  test('the page escapes user texts', async () => {
    const part = await aProduct(shop, { name: '</script><script>alert(1)</script>' });
    const { body } = await open(partPath(part));
    expect(body).not.toContain('<script>alert');
  });
});

describe('the QR code of a part', () => {
  test('the QR code contains an address that survives a new name', async () => {
    const part = await aProduct(shop);
    const { status, body, headers } = await shop.request(`/products/${part._id}/qr.svg`);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await decode(body)).toBe(`http://shop.example/products/${part._id}#label`);
    const etag = headers.get('etag') ?? '';
    const again = await shop.request(`/products/${part._id}/qr.svg`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('the QR code uses the requested host without a public address', async () => {
    const unnamed = await startForTest({ shareDatabaseWith: shop });
    const part = await aProduct(shop);
    const { body } = await unnamed.request(`/products/${part._id}/qr.svg`);
    expect(await decode(body)).toBe(`${unnamed.url}/products/${part._id}#label`);
  });

  test.each([randomUUID(), 'no-id'])('the QR code of an unknown part is 404: %s', async (id) => {
    expect((await shop.request(`/products/${id}/qr.svg`)).status).toBe(404);
  });
});

/** Decodes the rendered picture like a scanner. */
async function decode(svg: string): Promise<string> {
  const { data, info } = await sharp(Buffer.from(svg), { density: 600 })
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}
