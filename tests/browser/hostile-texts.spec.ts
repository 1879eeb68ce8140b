import { type APIRequestContext, type BrowserContext, expect, type Page } from '@playwright/test';
import { acceptPayment, payForOrder, placeOrder } from './orders.ts';
import {
  administrator,
  callAs,
  createPerson,
  getCustomer,
  type Person,
  register,
  registerByPage,
  signIn,
  submitLogin,
} from './people.ts';
import { pressInMenu } from './rows.ts';
import { test } from './silent-test.ts';

/** Would call home or open a dialog if a page interpreted them. */
const hostileTexts = [
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  "'><img src=https://evil.example/x onerror=alert(1)>",
  '</script><script src=https://evil.example/x.js></script>',
  '</title></textarea></style><iframe srcdoc="<script>parent.alert(1)</script>">',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}$\u007balert(1)}<%= 7*7 %>',
  '[click](javascript:alert(1)) ![x](https://evil.example/x.png)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\u202e\u2066gnp.exe\u2069\u202c',
] as const;

/** `mark` tells stories apart. */
function hostile(mark: string, max: number): string {
  let text = mark;
  for (const piece of hostileTexts) if (text.length + 1 + piece.length <= max) text += ` ${piece}`;
  return text;
}

/** The fixture `silentConsole` watches the console. */
async function watch(context: BrowserContext): Promise<() => Promise<void>> {
  const broken: string[] = [];
  context.on('dialog', async (dialog) => {
    broken.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const isOwn = host === `localhost:${process.env.E2E_PORT}` || ['data:', 'blob:'].includes(protocol);
    if (!isOwn) broken.push(`a request to ${request.url()}`);
  });
  await context.exposeFunction('reportViolation', (text: string) =>
    broken.push(`against the policy: ${text}`),
  );
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { reportViolation } = window as unknown as { reportViolation(text: string): void };
      reportViolation(`${violatedDirective} ${blockedURI}`);
    });
  });
  return async () => expect(broken).toEqual([]);
}

const clean = (text: string): string => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Unchanged except for invisible characters, and no element. */
async function expectAsText(page: Page, text: string): Promise<void> {
  const shown = page.getByText(clean(text).replace(/\s+/g, ' '), { exact: false });
  await expect(shown.filter({ visible: true }).first()).toBeVisible();
  const made = page.locator('[onerror], [onload], [srcdoc], [href^="javascript:" i], [src*="evil.example"]');
  await expect(made).toHaveCount(0);
}

async function aHostilePart(request: APIRequestContext, mark: string) {
  const [shown] = await (await request.get('/product?limit=1')).json();
  const part = {
    name: hostile(mark, 120),
    description: `${hostile(mark, 2000)}\n${hostile(mark, 900)}`,
    price: 10,
    quantity: 100_000,
    minimumOrder: 50,
  };
  const sent = { ...part, image: shown.image };
  const { insertedId } = await callAs(request, administrator, 'POST', '/product', sent);
  return { _id: String(insertedId), ...part };
}

async function aHostilePerson(request: APIRequestContext, mark: string) {
  const person: Person = await register(request, { ...createPerson(), name: hostile(mark, 120) });
  const profile = {
    education: hostile(mark, 200),
    location: hostileTexts[2],
    phone: '"><svg onload=alert(1)>',
    linkdin: 'https://evil.example/"><svg/onload=alert(1)>#javascript:alert(1)',
  };
  await callAs(request, person, 'PUT', `/user/update/${encodeURIComponent(person.email)}`, profile);
  return { person, profile };
}

let made = 0;
function newMark(): string {
  made += 1;
  return `Mark${process.pid}x${made}`;
}

test('hostile texts stay texts on every page for visitors', async ({ page, context, request }) => {
  const expectUnharmed = await watch(context);
  const mark = newMark();
  const part = await aHostilePart(request, mark);
  const { person } = await aHostilePerson(request, mark);
  const review = hostile(mark, 1000);
  const written = { email: person.email, rating: 5, description: review };
  await callAs(request, person, 'POST', '/review', written);

  // Other stories add parts and reviews, and the home page shows only the newest.
  await expect(async () => {
    await aHostilePart(request, mark);
    await page.goto('/');
    await expectAsText(page, part.name);
  }).toPass();
  await expectAsText(page, review);
  await page.goto(`/all-products?q=${mark}`);
  await expectAsText(page, part.name);
  for (const text of hostileTexts) {
    const search = `?q=${encodeURIComponent(text)}`;
    await page.goto(`/all-products${search}`, { waitUntil: 'commit' });
    await expect(page.getByRole('searchbox').first()).toHaveValue(text);
    for (const path of ['/', '/blogs', '/portfolio', '/login', '/register', '/nothing']) {
      // In HTML an address could become markup.
      const html = await (await request.get(path + search, { headers: { accept: 'text/html' } })).text();
      if (text.includes('<')) expect(html, path).not.toContain(text);
    }
  }
  await page.goto(`/${encodeURIComponent(hostileTexts[1])}`);
  await expect(page.getByRole('link', { name: 'Take Me Home' })).toBeVisible();
  await page.goto(`/#${hostileTexts[0]}`);
  await page.goto(`/all-products?q=${mark}`);
  await page.getByRole('searchbox').first().fill(part.name.slice(0, 60));
  await expectAsText(page, part.name);
  await expectUnharmed();
});

test('one review cannot stretch the home page', async ({ page, request }) => {
  const mark = newMark();
  const person = await register(request, { ...createPerson(), name: `${mark} ${'Z\u0489'.repeat(50)}` });
  for (const description of [
    `Z${'\u0300\u0489\u20dd'.repeat(300)}`,
    'W'.repeat(1000),
    Array.from({ length: 490 }, () => 'x').join('\n'),
  ]) {
    await callAs(request, person, 'POST', '/review', { email: person.email, rating: 5, description });
  }
  await page.goto('/');
  const card = page.getByRole('listitem').filter({ hasText: mark }).first();
  await expect(card).toBeVisible();
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 800 });
    const root = page.locator('html');
    expect(await root.evaluate(({ scrollWidth }) => scrollWidth)).toBe(width);
    expect((await card.boundingBox())?.height).toBeLessThan(1600);
  }
});

test('hostile texts in sign-in forms stay texts', async ({ page, context }) => {
  const expectUnharmed = await watch(context);
  const mark = newMark();
  const person = { ...createPerson(), name: hostile(mark, 120), password: hostile(mark, 100) };
  await registerByPage(page, person);
  await expect(page).toHaveURL('/login');
  await submitLogin(page, person);
  // The menu closes when the page changes.
  await expect(page).toHaveURL('/');
  await page.getByRole('button', { name: mark }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: mark })).toHaveCount(0);
  for (const text of hostileTexts.slice(0, 3)) {
    await page.goto('/login');
    await page.getByLabel('Email').fill(`${text.replace(/[\s@]/g, '')}@evil.example`);
    await page.getByLabel('Password').fill(text.padEnd(6, 'x'));
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(
      page
        .getByRole('alert')
        .or(page.getByText('must be', { exact: false }))
        .first(),
    ).toBeVisible();
  }
  await expectUnharmed();
});

test('hostile texts of customers stay texts on all their pages', { tag: '@full' }, async ({
  page,
  context,
  request,
}) => {
  const expectUnharmed = await watch(context);
  const mark = newMark();
  const part = await aHostilePart(request, mark);
  const { person, profile } = await aHostilePerson(request, mark);
  await signIn(page, person, `/purchase/${part._id}`);
  await expectAsText(page, part.name);
  await expectAsText(page, person.name);
  await page.getByLabel('Address').fill(`${hostile(mark, 240)}\n${hostileTexts[1]}`);
  await page.getByLabel('phone').fill('233302771204');
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();

  await page.goto('/dashboard/my-orders');
  await expectAsText(page, part.name);
  const unpaid = page.getByRole('row').filter({ hasText: 'unpaid' }).first();
  // On phones it is in the row's menu.
  await unpaid.getByRole('button', { name: /^More for/ }).click();
  await unpaid.getByRole('link', { name: /^Pay/ }).filter({ visible: true }).first().click();
  await expect(page).toHaveURL(/\/dashboard\/payment\//);
  await expectAsText(page, part.name);
  await page.goto('/dashboard/my-orders');
  await pressInMenu(unpaid, /^Cancel/);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAsText(page, part.name);

  await page.goto('/dashboard/my-profile');
  for (const text of [person.name, profile.education, profile.location, profile.phone]) {
    await expectAsText(page, text);
  }
  const link = page.getByRole('link', { name: /evil\.example/ });
  expect(await link.getAttribute('href')).toBe(profile.linkdin);
  expect(await link.getAttribute('rel')).toContain('noopener');
  for (const text of hostileTexts) {
    await page.getByLabel('LinkedIn').fill(text);
    await page.getByRole('button', { name: 'Update profile' }).click();
    await expect(page.getByText('Must be a link that begins with http:// or https://')).toBeVisible();
  }

  await page.goto('/dashboard/my-reviews');
  await page.getByLabel('Review', { exact: true }).fill(hostile(mark, 1000));
  await page.getByRole('button', { name: 'Submit review' }).click();
  await expect(page.getByText('Review submitted successfully.')).toBeVisible();
  await page.goto('/');
  await expectAsText(page, hostile(mark, 1000));
  await expectUnharmed();
});

test("hostile texts stay texts on every administrator's page", async ({ page, context, request }) => {
  const expectUnharmed = await watch(context);
  const mark = newMark();
  const part = await aHostilePart(request, mark);
  const { person } = await aHostilePerson(request, mark);
  const address = `${hostile(mark, 240)}\n${hostileTexts[1]}`;
  const placed = await placeOrder(request, person, part, 50);
  await payForOrder(request, placed);
  await callAs(request, person, 'POST', '/order', {
    email: person.email,
    address,
    phone: '233302771204',
    productId: part._id,
    quantity: 60,
    totalPrice: 600,
  });

  await signIn(page, administrator, `/dashboard/manage-orders?q=${mark}`);
  await expectAsText(page, part.name);
  await expectAsText(page, person.name);
  await page
    .getByRole('checkbox', { name: /^Choose order/ })
    .first()
    .press('Enter');
  await expectAsText(page, hostileTexts[1]);
  await pressInMenu(page.getByRole('row').filter({ hasText: 'unpaid' }).first(), /^Cancel order of/);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAsText(page, part.name);
  await acceptPayment(request, placed);

  await page.goto(`/dashboard/manage-users?q=${mark}`);
  await expectAsText(page, person.name);
  for (const button of [/^Make Admin/, /^Delete user/]) {
    await pressInMenu(page.locator('tbody').getByRole('row').first(), button);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAsText(page, person.name);
    await page.keyboard.press('Escape');
  }

  await page.goto('/dashboard/manage-products');
  await expectAsText(page, part.name);
  for (const button of [/^Restock/, /^Delete/]) {
    await pressInMenu(page.locator('tbody').getByRole('row').first(), button);
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
  }

  await page.goto('/dashboard/add-product');
  const typed = newMark();
  await page.getByLabel('Name').fill(hostile(typed, 120));
  await page.getByLabel('Description').fill(hostile(typed, 1000));
  await page.getByLabel('Price').fill('21.40');
  await page.getByLabel('Quantity').fill('8000');
  await page.getByLabel('Minimum Order').fill('50');
  await page.getByLabel('Image: choose a picture').setInputFiles({
    name: '"><img src=x onerror=alert(1)>.png',
    mimeType: 'image/png',
    buffer: onePixel,
  });
  await expectAsText(page, '"><img src=x onerror=alert(1)>.png');
  await page.getByRole('button', { name: 'Add Product', exact: true }).click();
  await expect(page.getByText('product uploaded successfully')).toBeVisible();
  await page.goto(`/all-products?q=${typed}`);
  await expectAsText(page, hostile(typed, 120));

  for (const list of ['manage-orders', 'manage-users']) {
    for (const text of hostileTexts.slice(0, 2)) {
      await page.goto(`/dashboard/${list}?q=${encodeURIComponent(text)}`);
      await expect(page.getByRole('searchbox').first()).toHaveValue(text);
    }
  }
  await expectUnharmed();
});

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('signing in leads to a page of this shop for any ?from=', async ({ page, context, request }) => {
  const expectUnharmed = await watch(context);
  const origin = `http://localhost:${process.env.E2E_PORT}`;
  await page.goto('/login?from=%2Fdashboard%2Fmy-reviews&from=%2F%2Fevil.example');
  await submitLogin(page, await getCustomer(request));
  await expect(page).toHaveURL('/dashboard/my-reviews');
  for (const from of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/%09/evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    '/javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '/"><script>alert(1)</script>',
    '/%0d%0aLocation:%20https://evil.example',
    '/@evil.example',
    '/login?from=//evil.example',
  ]) {
    // A signed-in visitor is redirected at once.
    await page.goto(`/login?from=${encodeURIComponent(from)}`, { waitUntil: 'commit' });
    await expect(page).toHaveURL((url) => url.origin === origin && url.pathname !== '/login');
  }
  await expectUnharmed();
});
