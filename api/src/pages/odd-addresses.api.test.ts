import { request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { aProduct } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';

let partId: string;
const shop = useShop({ env: { ORIGIN: 'https://shop.example', PAYMENTS: 'sandbox' } });
beforeAll(async () => {
  partId = (await aProduct(shop, { name: 'Coil' }))._id;
});

/** Sends the raw path; `fetch` would normalise it. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; type: string; location: string; body: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: shop.config.port, path, headers };
    request(options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          location: response.headers.location ?? '',
          body,
        }),
      );
    })
      .on('error', reject)
      .end();
  });

const html = { accept: 'text/html' };

const plainAddresses = (): [path: string, headers?: Record<string, string>][] => [
  ['/product'],
  [`/product/${partId}`],
  ['/product/facets'],
  ['/review'],
  ['/config'],
  ['/sitemap.xml'],
  ['/robots.txt'],
  [`/products/${partId}/qr.svg`],
  ['/', html],
  ['/all-products', html],
  ['/blogs', html],
  [`/products/${partId}/coil`, html],
  ['/_.data'],
  ['/all-products.data'],
  ['/nothing-there', html],
  ['/nothing-there'],
];

/** Empties the cache by invalidating all its tags. */
const emptyCache = () =>
  shop.services.changes.write(async (_tx, changed) =>
    changed('config', 'products', 'catalogue', `product:${partId}`, 'reviews', 'users'),
  );

const listAnswers = async () => {
  const answers: Record<string, unknown> = {};
  for (const [path, headers] of plainAddresses()) {
    const { status, type, location, body } = await ask(path, headers);
    // Scripts contain random nonces and names, so only visible content is compared.
    answers[`${path} ${headers?.accept ?? ''}`] = {
      status,
      type,
      location,
      size: body.length > 0,
      title: readTitle(body),
    };
  }
  return answers;
};
const readTitle = (body: string) => /<title>[^<]*/.exec(body)?.[0] ?? body.slice(0, 60);

/** Spellings of `target` that a URL parser resolves and the router does not. */
function spell(target: string): string[] {
  const path = target.slice(1);
  const ups = ['..', '.%2e', '%2e.', '%2E%2E', '%2e%2E'];
  return [
    ...ups.flatMap((up) => [
      `/products/${up}/${path}`,
      `/products/x/${up}/${up}/${path}`,
      `/assets/${up}/${path}`,
    ]),
    `/products/..\\${path}`,
    `/products\\..\\${path}`,
    `/products/..%5c${path}`,
    `/products/..%2f${path}`,
    `/products/;\\..\\..\\${path}`,
    `/products/;/../../${path}`,
    `/;/../${path}`,
    `/./${path}`,
    `/%2e/${path}`,
    `/${path}/.`,
    `/${path}/x/..`,
    `//${path}`,
    `//x/${path}`,
    `///x/${path}`,
    `/\\x/${path}`,
    `/${path}//`,
    `http://evil.example/products/../${path}`,
    `http://evil.example//x/${path}`,
  ];
}

test('odd spellings of an address change no cached answer', async () => {
  await emptyCache();
  const before = await listAnswers();
  const odd = [
    '/product',
    `/product/${partId}`,
    '/review',
    '/config',
    '/all-products',
    '/sitemap.xml',
    `/products/${partId}/qr.svg`,
    '/',
    `/products/${partId}`,
  ]
    .flatMap(spell)
    .concat([
      '/nope/..',
      '/nope/../nothing-there',
      '/products/../qr.svg',
      '/products/%2e%2e/qr.svg',
      '//',
      '/.',
      '/..',
    ])
    .concat([
      '/product?q=zzz&q=',
      '/all-products?q=&q=zzz',
      '/?_routes=x',
      '/all-products.data?_routes=../product',
    ]);
  const oddHeaders: Record<string, string>[] = [
    { ...html },
    {},
    { ...html, host: 'evil.example' },
    {
      ...html,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      'x-forwarded-prefix': '/product',
    },
    { ...html, 'x-original-url': '/product', 'x-rewrite-url': '/product' },
  ];
  expect(odd.length).toBeGreaterThan(100);
  for (const headers of oddHeaders) {
    await emptyCache();
    for (const path of odd) {
      const { status } = await ask(path, headers);
      expect([path, status < 500]).toEqual([path, true]);
    }
    expect(await listAnswers()).toEqual(before);
  }
});

test('a path that a URL parser would rewrite is refused', async () => {
  for (const path of [
    '/products/../product',
    '/products/%2e%2e/product',
    '//x/',
    '/nope/..',
    '/products/..\\product',
  ]) {
    const { status, body } = await ask(path, html);
    expect([path, status]).toEqual([path, 404]);
    expect(JSON.parse(body).type).toBe('urn:parts-forge:problem:not-found');
  }
});

test.each(['/products/facets', '/products/facets/coil', '/products/facets.data', '/products/facets/qr.svg'])(
  'the name of another call is not a part: %s',
  async (path) => {
    expect((await ask(path, html)).status).toBe(404);
    expect(shop.errors).toEqual([]);
  },
);

test('data paths below /assets render no page without a rate limit', async () => {
  const { counts } = shop.app.responses;
  await ask('/nothing-there', html);
  const before = counts.made;
  for (let number = 0; number < 5; number += 1) {
    const { status, body } = await ask(`/assets/${number}.data`, html);
    expect([status, readTitle(body)]).toEqual([404, readTitle((await ask('/nothing-there', html)).body)]);
    expect((await ask(`/assets/${number}.data`)).status).toBe(404);
  }
  expect(counts.made).toBe(before);
});

test('encoded characters within a segment are allowed', async () => {
  expect((await ask('/all-products?q=a%2Fb', html)).status).toBe(200);
  expect((await ask(`/products/${partId}/co%20il`, html)).status).toBeLessThan(400);
  expect((await ask(`http://127.0.0.1:${shop.config.port}/product`)).status).toBe(200);
});
