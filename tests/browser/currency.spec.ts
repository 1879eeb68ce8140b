import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { expect, type Page } from '@playwright/test';
import routes from '../../web/app/routes.ts';
import { startOwnShop } from './own-shop.ts';
import { administrator, createPerson, readAccessToken, registerByPage, submitLogin } from './people.ts';
import { test as silentTest } from './silent-test.ts';

/** A separate shop with the demonstration in yen. */
const test = silentTest.extend<object, { yenShop: string }>({
  yenShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
    async ({}, use) => {
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const stopShop = startOwnShop(port, { SEED: 'demo', SHOP_CURRENCY: 'JPY' });
      const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => null))?.ok;
      await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
      await use(origin);
      await stopShop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ yenShop }, use) => use(yenShop),
});

/** Pages with an amount: of customers alone, and for administrators. */
const CUSTOMER = ['/purchase/:id', '/dashboard/my-orders', '/dashboard/order/:id', '/dashboard/payment/:id'];
const WITH_AMOUNTS = [
  '/',
  '/all-products',
  '/products/:id/:slug',
  '/models/:model',
  '/dashboard/overview',
  '/dashboard/overview/month',
  '/dashboard/manage-orders',
  '/dashboard/order/:id',
  '/dashboard/customers/:email',
  '/dashboard/mail/:id',
  '/dashboard/manage-products',
];

interface Entry {
  path?: string;
  children?: Entry[];
}
const listPaths = (entries: readonly Entry[], above = ''): string[] =>
  entries.flatMap(({ path = '', children }) =>
    children ? listPaths(children, `${above}${path && `/${path}`}`) : `${above}/${path}`,
  );

/** @param withAmounts these pages show one */
async function openAll(
  page: Page,
  paths: readonly string[],
  replace: (path: string) => string,
  withAmounts: readonly string[],
) {
  for (const path of paths) {
    await page.goto(replace(path));
    await expect(page.locator('h1').first()).toBeVisible();
    if (withAmounts.includes(path)) await expect(page.locator('main')).toContainText(/¥\d/);
    const html = await page.evaluate(() => {
      const fields = [...document.querySelectorAll('input, textarea')].map((field) =>
        Reflect.get(field, 'value'),
      );
      const copy = document.documentElement.cloneNode(true) as HTMLElement;
      for (const code of copy.querySelectorAll('script, style, pre')) code.remove();
      return copy.outerHTML.replace(/<!--.*?-->/g, '') + fields.join('\n');
    });
    const wrong = /.{0,40}(?:\$|\bUSD\b|dollar|¥[\d,]+\.\d).{0,40}/i.exec(html)?.[0];
    expect([path, wrong]).toEqual([path, undefined]);
  }
}

test('no page of a shop in yen has a dollar', { tag: '@full' }, async ({ page }) => {
  test.setTimeout(240_000);
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${await readAccessToken(page)}` };
    const response = await (body
      ? page.request.post(path, { headers, data: body })
      : page.request.get(path, { headers }));
    return response.json();
  };
  const person = createPerson();
  await registerByPage(page, person);
  await page.waitForURL('/login');
  await submitLogin(page, person);
  await page.waitForURL('/');
  const [part] = await call('/product?limit=1');
  const order = await call('/order', {
    email: person.email,
    name: person.name,
    address: '1 Ginza, Tokyo',
    phone: '81312345678',
    productId: part._id,
    productName: part.name,
    image: part.image,
    status: 'due',
    quantity: part.minimumOrder,
    totalPrice: part.minimumOrder * part.price,
  });
  const open = (path: string, mail = '1') =>
    path
      .replace(/(purchase|products)\/:id/, `$1/${part._id}`)
      .replace('mail/:id', `mail/${mail}`)
      .replace(':id', order.insertedId)
      .replace(':email', encodeURIComponent(person.email))
      .replace(':slug', '1')
      .replace(':model', encodeURIComponent(part.fits[0]));
  await openAll(page, [...CUSTOMER, '/dashboard/batch', '/dashboard/batch/:id'], open, CUSTOMER);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await submitLogin(page, administrator);
  await page.waitForURL('/');
  const [{ _id: mail }] = (await call('/mail')).data;
  await openAll(page, listPaths(routes), (path) => open(path, mail), WITH_AMOUNTS);
});
