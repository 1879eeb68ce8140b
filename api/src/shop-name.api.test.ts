import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIL_KINDS } from '@parts-forge/contract/events/mail-kinds';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { shipments } from '#src/orders/schema.ts';
import { readAddresses } from '#src/pages/pages-build.ts';
import { aProduct, signedInAs } from '#test/builders.ts';
import { downloadPdf } from '#test/downloads.ts';
import { anAdministrator, askIdentity } from '#test/identity.ts';
import { askAndAgree } from '#test/prices-of-mails.ts';
import { startForTest, usePerson, useShop } from '#test/use-shop.ts';

const name = 'Łódź & Søn "Teile"';
const inHtml = 'Łódź &amp; Søn &quot;Teile&quot;';
const html = { accept: 'text/html' };

const folder = mkdtempSync(join(tmpdir(), 'shop-look-'));
const shop = useShop({
  env: {
    SHOP_NAME: name,
    SHOP_TAGLINE: 'Teile <Ersatz> & mehr',
    SHOP_INSTAGRAM: 'https://instagram.example/lodz',
  },
});
const admin = usePerson(shop, 'admin');
afterAll(() => rmSync(folder, { recursive: true }));

function expectOnlyTheName(text: string, shown: string, where: string): void {
  expect([where, text.includes(shown)]).toEqual([where, true]);
  expect([where, /parts forge|foundry lane|"Teile" ·|facebook\.com/i.exec(text)?.[0]]).toEqual([
    where,
    undefined,
  ]);
}

test('every page has the name in its title, navbar and footer', async () => {
  const part = await aProduct(shop);
  const addresses = readAddresses().map(({ path }) =>
    path
      .replace(/\/purchase\/:id|\/products\/:id/, (start) => start.replace(':id', part._id))
      .replace(/:\w+/g, '1'),
  );
  expect(addresses.length).toBeGreaterThan(30);
  for (const address of [...addresses, '/no/such/page']) {
    const { status, body, headers } = await shop.request(address, { headers: html });
    if (status >= 300 && status < 400) {
      expect(headers.get('location')).not.toBe(null);
      continue;
    }
    const text = String(body);
    expectOnlyTheName(text, ` · ${inHtml}</title>`, address);
    expectOnlyTheName(text, `<span class="truncate">${inHtml}</span>`, address);
    expect(text.match(new RegExp(inHtml, 'g'))?.length, address).toBeGreaterThan(3);
    expect(text).toContain('Teile &lt;Ersatz&gt; &amp; mehr');
  }
});

test('structured data, manifest and popup hold the name as text', async () => {
  const home = String((await shop.request('/', { headers: html })).body);
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(home) ?? [];
  expect(JSON.parse(json)).toMatchObject({ name, legalName: name, description: 'Teile <Ersatz> & mehr' });
  expect(home).not.toContain('og:image');
  const manifest = await shop.request('/manifest.webmanifest');
  expect(manifest.body).toMatchObject({ name, short_name: name, description: 'Teile <Ersatz> & mehr' });
  const popup = String((await shop.request('/auth/popup.html', { headers: html })).body);
  expect(popup).toContain(`<title>Signing in · ${inHtml}</title>`);
  expect(popup).toContain(`<h1>${inHtml}</h1>`);
});

test('the calls and their description have the name', async () => {
  const { body } = await shop.request('/config');
  const links = [{ name: 'Instagram', url: 'https://instagram.example/lodz' }];
  expect(body.shop).toMatchObject({ name, links, address: [], picture: null });
  expect(body.seller).toBeUndefined();
  const { info } = (await shop.request('/openapi.json')).body;
  expectOnlyTheName(JSON.stringify(info), JSON.stringify(name), 'openapi');
  expectOnlyTheName(String((await shop.request('/docs', { headers: html })).body), inHtml, 'docs');
});

test('a refusal names the realm in ASCII, and quotes it', async () => {
  const { status, headers } = await shop.request('/order');
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="%C5%81%C3%B3d%C5%BA & S%C3%B8n \\"Teile\\""',
  ]);
});

test('an authenticator shows the name', async () => {
  const { password, cookie } = await anAdministrator(shop);
  const { body } = await askIdentity(shop, '/two-factor/enable', { password }, cookie);
  const address = new URL(body.totpURI);
  expect(decodeURIComponent(address.pathname)).toMatch(new RegExp(`^/?${name}:`));
  expect(address.searchParams.get('issuer')).toBe(name);
});

test('every mail has the name in its head and its last line', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  const order = await customer.orders(product);
  const quoteId = await askAndAgree(shop, customer, product);
  const now = new Date();
  const parcel = { carrier: 'DHL', number: '1', sentAt: now, addedBy: admin.userId, createdAt: now };
  const shipmentId = shop.services.ids.next();
  await shop.db.insert(shipments).values({ id: shipmentId, orderId: order._id, ...parcel });
  await shop.db.delete(mailOutbox);
  for (const kind of MAIL_KINDS) {
    const [mail] = await shop.db
      .insert(mailOutbox)
      .values({
        id: shop.services.ids.next(),
        kind,
        userId: customer.userId,
        orderId: order._id,
        productId: product._id,
        ...(kind.startsWith('parcel-') && { shipmentId }),
        ...(kind.startsWith('quote-') && { quoteId }),
        createdAt: now,
        nextAttemptAt: now,
      })
      .returning();
    const { status, body } = await admin.get(`/mail/${mail?.id}`);
    expect([kind, status]).toEqual([kind, 200]);
    expectOnlyTheName(body.text, `\n-- \n${name}\n`, kind);
    expectOnlyTheName(String(body.html), `color:#161b21">${inHtml}</td>`, kind);
    if (kind === 'address-verification' || kind === 'password-reset')
      expectOnlyTheName(body.text, `${name} account`, kind);
  }
});

test('invoice and credit note have the name at head and foot', async () => {
  const customer = await signedInAs(shop, 'user');
  const order = await customer.orders(await aProduct(shop));
  await customer.pays(order);
  const invoice = await downloadPdf(shop, customer, order);
  await admin.refunds(order);
  const note = await downloadPdf(shop, customer, order, 'credit-note');
  for (const { pages, info } of [invoice, note]) {
    expectOnlyTheName(pages.join(), name, 'paper');
    // Head, seller and title block.
    expect(pages[0]?.split(name)).toHaveLength(4);
    expect(info).toMatchObject({ Author: name, Creator: name, Producer: name });
  }
});

test('a logo is the mark of pages, icons, mails and papers', async () => {
  const customer = await signedInAs(shop, 'user');
  const order = await customer.orders(await aProduct(shop));
  await customer.pays(order);
  const plain = await downloadPdf(shop, customer, order);
  const [mail] = (await admin.get('/mail')).body.data;
  for (const type of ['svg', 'png']) {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#0b5fff" d="M0 0h8v8H0Z"/></svg>';
    const file = join(folder, `logo.${type}`);
    writeFileSync(file, type === 'svg' ? svg : await sharp(Buffer.from(svg)).resize(96).png().toBuffer());
    const own = await startForTest({ env: { SHOP_NAME: 'Own', SHOP_LOGO: file }, shareDatabaseWith: shop });
    const home = String((await own.request('/', { headers: html })).body);
    const [path = ''] = /\/assets\/logo-[0-9a-f]{16}\.(svg|png)/.exec(home) ?? [];
    expect(home.split(`src="${path}"`)).toHaveLength(3);
    const logo = await fetch(own.url + path);
    expect([logo.status, logo.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
    expect(logo.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*(sandbox|base-uri 'none')$/,
    );
    for (const [icon, side] of [
      ['/icon-192.png', 192],
      ['/icon-512.png', 512],
      ['/apple-touch-icon.png', 180],
      ['/favicon-32.png', 32],
    ] as const) {
      const { dominant } = await sharp(await (await fetch(own.url + icon)).arrayBuffer())
        .resize(side, side)
        .stats();
      expect([icon, dominant.b > 200]).toEqual([icon, true]);
    }
    expect(await (await fetch(`${own.url}/favicon.svg`)).text()).toContain(
      type === 'svg' ? '#0b5fff' : 'data:image/png',
    );
    expect((await own.request('/manifest.webmanifest')).body.icons).toHaveLength(2);
    expect((await own.request(`/mail/${mail._id}`, { token: admin.token })).body.html).toContain(
      '<img src="data:image/png;base64,',
    );
    const paper = await downloadPdf(own, customer, order);
    expect(paper.bytes.toString('latin1')).toContain('/Subtype /Image');
    expect(plain.bytes.toString('latin1')).not.toContain('/Subtype /Image');
  }
});

test('an accent replaces the copper of pages, mails and papers', async () => {
  const own = await startForTest({ env: { SHOP_ACCENT: '#0b5fff' }, shareDatabaseWith: shop });
  const home = String((await own.request('/', { headers: html })).body);
  const [, path = ''] =
    /<link rel="stylesheet" href="(\/assets\/accent-[0-9a-f]{16}\.css)"\/>/.exec(home) ?? [];
  const sheet = await fetch(own.url + path);
  expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(await sheet.text()).toContain(':root{--color-primary:#0b5fff;');
  await (await signedInAs(shop, 'user')).orders(await aProduct(shop));
  const [mail] = (await admin.get('/mail')).body.data;
  const { body } = await own.request(`/mail/${mail._id}`, { token: admin.token });
  expect(body.html).toContain('background:#0b5fff;color:#fffbf8');
  expect(body.html).not.toMatch(/#af4715|#eb965f|#c96730/);
  expect(String((await own.request('/docs/static/theme/docs.css')).body)).toContain('#0b5fff');
});
