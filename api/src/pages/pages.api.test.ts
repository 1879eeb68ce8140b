import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { buildFolder } from './pages-build.ts';

const shop = useShop();

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const page = (path: string, headers: Record<string, string> = html) => shop.request(path, { headers });

describe('a public page', () => {
  test("the server renders a page with the calls' data", async () => {
    const { name } = await aProduct(shop, { name: 'Ceramic back cover', price: 18.4 });
    for (const path of ['/', '/all-products']) {
      const { status, body, headers } = await page(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(body).toContain(name);
      expect(body).toContain('$18.40');
    }
  });

  test('a new part, a restock and a review appear at once', async () => {
    const admin = await signedInAs(shop, 'admin');
    const customer = await signedInAs(shop, 'user');
    await page('/');
    const part = await aProduct(shop, { name: 'Vapour chamber', quantity: 1234 });
    expect((await page('/')).body).toContain('1,234');
    await admin.put(`/product/${part._id}`, { quantity: 4321 });
    expect((await page('/')).body).toContain('4,321');
    expect((await page('/all-products')).body).toContain('4,321');
    const review = {
      name: customer.name,
      email: customer.email,
      rating: 4.5,
      description: 'Flat and straight.',
    };
    await customer.post('/review', review);
    expect((await page('/')).body).toContain('Flat and straight.');
  });

  test('a cached page keeps its ETag, answered with 304, until a change', async () => {
    const first = await page('/');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    expect((await page('/')).headers.get('etag')).toBe(etag);
    const again = await page('/', { ...html, 'if-none-match': etag });
    expect([again.status, again.body]).toEqual([304, null]);
    await aProduct(shop);
    expect((await page('/', { ...html, 'if-none-match': etag })).status).toBe(200);
  });

  test('a trailing slash redirects to the address without it', async () => {
    for (const path of ['/blogs', '/all-products', '/dashboard/my-orders']) {
      const { status, headers } = await page(`${path}/?q=oled`);
      expect([status, headers.get('location')]).toEqual([308, `${path}?q=oled`]);
    }
  });

  test('a page is compressed as the client accepts', async () => {
    const lengths: number[] = [];
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
      ['identity', undefined],
    ] as const) {
      const { headers, bytes } = await raw('GET', '/', { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers.vary).toContain('accept-encoding');
      lengths.push(bytes);
    }
    expect(lengths[1]).toBeLessThan((lengths[2] ?? 0) / 3);
  });

  test('HEAD answers with the headers of GET and no body', async () => {
    const { status, headers, bytes } = await raw('HEAD', '/blogs', {});
    expect([status, bytes]).toEqual([200, 0]);
    expect(Number(headers['content-length'])).toBeGreaterThan(1000);
  });

  test('a page allows only its own inline scripts, by hash', async () => {
    const { headers, body } = await page('/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('stripe');
    expect(body).not.toMatch(/\sstyle="/);
    const scripts = [
      ...String(body).matchAll(/<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g),
    ];
    expect(scripts.length).toBeGreaterThan(2);
    for (const [, code = ''] of scripts) {
      expect(policy).toContain(createHash('sha256').update(code).digest('base64'));
    }
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  });

  test("the login page can keep Google's popup", async () => {
    for (const path of ['/login', '/auth/popup.html?id=1']) {
      const { headers } = await raw('GET', path, html);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
      expect(headers['content-security-policy']).toContain("script-src 'self'");
    }
  });

  test('only payment pages allow the card provider', async () => {
    const paid = await startForTest({
      env: {
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        STRIPE_WEBHOOK_SECRET: 'whsec_1',
      },
      shareDatabaseWith: shop,
    });
    const read = (path: string) => paid.request(path, { headers: { accept: 'text/html' } });
    const { headers } = await read('/dashboard/payment/019a0000-0000-7000-8000-000000000000');
    const directives = (headers.get('content-security-policy') ?? '').split('; ');
    const directive = (name: string) => directives.find((text) => text.startsWith(`${name} `));
    expect(directive('script-src')).toContain(' https://js.stripe.com');
    expect(directive('frame-src')).toContain(' https://js.stripe.com');
    expect(directive('frame-src')).toContain(' https://hooks.stripe.com');
    expect(directive('connect-src')).toBe("connect-src 'self' https://api.stripe.com");
    expect(directive('img-src')).toBe("img-src 'self' data: blob:");
    expect(headers.get('permissions-policy')).toContain('https://js.stripe.com');
    for (const path of ['/', '/blogs', '/dashboard/my-orders', '/nothing-here']) {
      const { headers: others } = await read(path);
      expect(others.get('content-security-policy'), path).toContain("script-src 'self'");
      expect(JSON.stringify([...others]), path).not.toContain('stripe');
    }
    const docs = await paid.request('/docs', { headers: { accept: 'text/html' } });
    expect(docs.headers.get('content-security-policy')).not.toContain('stripe');
  });

  test('a page escapes user texts', async () => {
    await aProduct(shop, { name: '<script>alert(1)</script><img src=x onerror=alert(1)>' });
    for (const path of ['/', '/all-products', '/all-products?q=%3C%2Fscript%3E%3Cscript%3Ealert(2)']) {
      const { body } = await page(path);
      expect(body).not.toContain('<script>alert');
      expect(body).not.toContain('<img src=x');
    }
  });
});

describe('the home page during a failed read', () => {
  test.each([
    ['products', 'The parts could not be loaded', 'Flat and straight.'],
    ['reviews', 'The reviews could not be loaded', 'Ceramic back cover'],
  ])('a notice replaces %s, and the rest stays', async (table, notice, rest) => {
    const broken = await startForTest();
    await aProduct(broken, { name: 'Ceramic back cover' });
    const { name, email, token } = await signedInAs(broken, 'user');
    const review = { name, email, rating: 5, description: 'Flat and straight.' };
    await broken.request('/review', { method: 'POST', token, body: review });
    const { pool } = broken.services.database;
    await pool.query(`alter table ${table} rename to ${table}_away`);
    await pool.query("select pg_notify('products', ''), pg_notify('reviews', '')");
    const home = () => broken.request('/', { headers: html });
    await expect.poll(async () => (await home()).body).toContain(notice);
    const { status, body } = await home();
    expect(status).toBe(200);
    expect(body).toContain(rest);
    expect(body).toContain('annual revenue');
    await pool.query(`alter table ${table}_away rename to ${table}`);
    expect((await home()).body).not.toContain(notice);
    broken.expectErrors();
  });
});

describe('the list of all products', () => {
  test('the address sets search, sort order, filter and page', async () => {
    await aProduct(shop, { name: 'Quartz lens A', price: 9 });
    await aProduct(shop, { name: 'Quartz lens B', price: 8, quantity: 20 });
    const { body } = await page('/all-products?q=quartz&sort=price');
    expect(String(body).indexOf('Quartz lens B')).toBeLessThan(String(body).indexOf('Quartz lens A'));
    expect(body).toContain('2 parts');
    expect(body).toContain('Out of stock');
    const available = await page('/all-products?q=quartz&available=true');
    expect(available.body).toContain('1 part<');
    expect(available.body).not.toContain('Quartz lens B');
    expect((await page('/all-products?q=no+such+part')).body).toContain('No part matches');
  });

  test('unknown parameters are ignored', async () => {
    const plain = await page('/all-products');
    const odd = await page('/all-products?utm_source=mail&sort=sideways&after=');
    expect(odd.status).toBe(200);
    expect(await page('/all-products?utm_source=mail').then(({ headers }) => headers.get('etag'))).toBe(
      plain.headers.get('etag'),
    );
  });

  test('an unknown cursor shows the first page', async () => {
    await aProduct(shop, { name: 'Quartz lens C' });
    const { status, body } = await page('/all-products?after=nonsense');
    expect(status).toBe(200);
    expect(body).toContain('Quartz lens C');
    expect(body).not.toContain('The parts could not be loaded');
  });
});

test('navigation data depends on the named routes and is cached by them', async () => {
  const tag = async (query: string) => {
    const { status, headers } = await shop.request(`/all-products.data${query}`);
    expect(status, query).toBe(200);
    return headers.get('etag');
  };
  const whole = await tag('');
  const ofThePage = await tag('?_routes=pages%2Fall-products');
  expect(ofThePage).not.toBe(whole);
  expect(await tag('?_routes=pages%2Fall-products&unknown=1')).toBe(ofThePage);
  // An unknown route name would fill the cache with copies.
  expect(await tag(`?_routes=${'x'.repeat(500)}`)).toBe(whole);
});

describe('an address without a page', () => {
  test('a browser gets the not-found page with status 404', async () => {
    const { status, body } = await page('/no/such/page');
    expect(status).toBe(404);
    expect(body).toContain('Take Me Home');
    expect(body).toContain('<img');
    expect((await raw('HEAD', '/no/such/page', html)).status).toBe(404);
  });

  test('other clients get a 404 problem', async () => {
    const { status, body } = await page('/no/such/page', { accept: 'application/json' });
    expect([status, body.status]).toEqual([404, 404]);
    expect((await shop.request('/no/such/page', { method: 'POST', body: {}, headers: html })).status).toBe(
      404,
    );
  });
});

test('a wrong method gets 405 with the allowed ones', async () => {
  const { status, headers } = await shop.request('/blogs', { method: 'POST', body: {} });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a form sent without JavaScript redirects to its page', async () => {
  const form = { ...html, 'content-type': 'application/x-www-form-urlencoded' };
  const password = 'a-secret-word';
  for (const path of [
    '/login',
    '/login?email=a%40b.example',
    '/products/019a0000-0000-7000-8000-000000000000/x',
  ]) {
    const { status, headers } = await raw('POST', path, form, `email=a%40b.example&password=${password}`);
    expect([status, headers.location]).toEqual([303, path]);
    expect(JSON.stringify(headers)).not.toContain(password);
  }
  // Calls accept no forms, and an address without a page stays unknown.
  expect((await raw('POST', '/order', form, 'a=b')).status).toBe(401);
  expect((await raw('POST', '/no/such/page', form, 'a=b')).status).toBe(404);
  expect((await raw('POST', '//evil.example/login', form, 'a=b')).status).toBe(404);
  expect((await raw('POST', 'http://evil.example/login', form, 'a=b')).headers.location).toBe('/login');
});

test("the pages' files are compressed and cached for a year", async () => {
  const { body } = await page('/');
  const [script] = /\/assets\/[\w.~-]+\.js/.exec(String(body)) ?? [''];
  const { status, headers } = await raw('GET', script, { 'accept-encoding': 'br' });
  expect([status, headers['content-encoding']]).toEqual([200, 'br']);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect((await raw('GET', script, { 'if-none-match': String(headers.etag) })).status).toBe(304);
  for (const path of [
    '/assets/../server/index.js',
    '/.vite/manifest.json',
    '/assets/nothing.js',
    '/addresses.json',
  ]) {
    expect([path, (await raw('GET', path, {})).status]).toEqual([path, 404]);
  }
});

test('browsers show the guide of the ERP as a text', async () => {
  const name = readdirSync(join(buildFolder, 'client/assets')).find((file) => file.endsWith('.md'));
  const { status, headers, body } = await page(`/assets/${name}`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toMatch(/^# Connect your ERP/);
});

test('server and browser use the same name for each font and picture', () => {
  const assets = join(buildFolder, 'client/assets');
  const namesByContent = new Map<string, string[]>();
  for (const name of readdirSync(assets).filter((file) => /\.(woff2|avif|webp|svg)$/.test(file))) {
    const content = hash('sha256', readFileSync(join(assets, name)));
    namesByContent.set(content, [...(namesByContent.get(content) ?? []), name]);
  }
  expect(namesByContent.size).toBeGreaterThan(20);
  expect([...namesByContent.values()].filter(({ length }) => length > 1)).toEqual([]);
});

test('a shop without ORIGIN shows its sitemap to this machine alone', async () => {
  const robots = (await page('/robots.txt')).body;
  expect(robots).toContain('Disallow: /dashboard');
  expect(robots).toContain(`Sitemap: ${shop.url}/sitemap.xml`);
  const sitemap = (await page('/sitemap.xml')).body;
  for (const path of ['/', '/all-products', '/blogs', '/portfolio']) {
    expect(sitemap).toContain(`<loc>${shop.url}${path}</loc>`);
  }
  const headers = { host: 'evil.example' };
  expect((await shop.app.inject({ url: '/robots.txt', headers })).body).not.toContain('Sitemap');
  expect((await shop.app.inject({ url: '/sitemap.xml', headers })).statusCode).toBe(404);
  expect((await page('/manifest.webmanifest')).body.name).toBe('Parts Forge');
});

test('canonical address and Open Graph need ORIGIN', async () => {
  const plain = (await page('/blogs')).body;
  expect(plain).not.toContain('rel="canonical"');
  expect(plain).not.toContain('og:url');
  const settings = { ORIGIN: 'https://parts.example', PAYMENTS: 'sandbox' };
  const published = await startForTest({ env: settings, shareDatabaseWith: shop });
  const { body } = await published.request('/blogs', { headers: html });
  expect(body).toContain('<link rel="canonical" href="https://parts.example/blogs"/>');
  expect(body).toContain('https://parts.example/og.png');
});

test('pages name the configured seller instead of the demonstration', async () => {
  const settings = { SELLER_NAME: 'Fjord Parts AS', SELLER_ADDRESS: 'Havnegata 4, Oslo' };
  const real = await startForTest({ env: settings, shareDatabaseWith: shop });
  const { body } = await real.request('/', { headers: html });
  expect(body).toContain('Fjord Parts AS\nHavnegata 4\nOslo</address>');
  expect(body).toContain('"legalName":"Fjord Parts AS","address":"Havnegata 4, Oslo"');
  expect(body).not.toContain('Foundry Lane');
  const demo = (await page('/')).body;
  expect(demo).toContain('48 Foundry Lane\nSheffield S3 8GG\nUnited Kingdom</address>');
});

test('a page shows a part that another process added', async () => {
  const other = await startForTest({ shareDatabaseWith: shop });
  await page('/');
  await aProduct(other, { name: 'Part from elsewhere' });
  await expect.poll(async () => (await page('/')).body).toContain('Part from elsewhere');
});

interface RawAnswer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  bytes: number;
}

/** The raw response: the usual client decompresses it and normalises paths. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(shop.url);
    httpRequest({ hostname, port, method, path, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, bytes }));
    })
      .on('error', reject)
      .end(body);
  });
}
