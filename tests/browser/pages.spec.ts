import { expect, type Page } from '@playwright/test';
import { expectFit } from './accessibility.ts';
import { fillCard, payButton } from './card-form.ts';
import { expectEveryClassStyled } from './class-rules.ts';
import { acceptPayment, payForOrder, payForOrders, placeOrder } from './orders.ts';
import { administrator, callAs, createPerson, register, registerAdministrator, signIn } from './people.ts';
import { addProduct, saveInBatch } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './silent-test.ts';

// Every state with colours or widths of its own. On phones, `npm test` looks at what customers and clerks use
// there; a desktop's test also has the width of a small phone.

const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page) => page.getByRole('dialog');

/** With an event that failed. */
async function makeFailedWebhook(request: Parameters<typeof register>[0]): Promise<string> {
  const webhook = { url: `https://localhost:1/${'m'.repeat(200)}`, types: ['order.placed', 'stock.low'] };
  const { _id } = (await callAs(request, administrator, 'POST', '/webhook', webhook)).data;
  const findEvent = async () => (await callAs(request, administrator, 'GET', '/events')).data[0]?.number;
  await expect.poll(findEvent).toBeGreaterThan(0);
  await callAs(request, administrator, 'POST', `/webhook/${_id}/deliveries`, { event: await findEvent() });
  return _id;
}

/** A name that cannot wrap. */
const longName = () => `${'M'.repeat(100)}${Date.now().toString(36)}${process.pid}`;

async function prepareOrder(request: Parameters<typeof register>[0]) {
  const person = await register(request, createPerson('Amara Okafor'));
  const part = await addProduct(request, { name: longName() });
  return { person, part, order: await placeOrder(request, person, part) };
}

/** Waits for `ready`. */
async function expectPageFits(page: Page, path: string, ready: string | RegExp): Promise<void> {
  await page.goto(`/dashboard/${path}`);
  await expect(main(page).getByText(ready).first()).toBeAttached();
  await expect(main(page).locator('[aria-busy=true]')).toHaveCount(0);
  await expectFit(page);
}

async function expectDialogFits(page: Page, button: string | RegExp, isInMenu = false): Promise<void> {
  if (isInMenu)
    await page
      .getByRole('button', { name: /^More for/ })
      .first()
      .click();
  await page.getByRole('button', { name: button }).first().click();
  await expect(dialog(page)).toBeVisible();
  await expectFit(page, 'dialog');
  await expectEndsInView(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
}

/** A laptop's window has some 625 px. Heading and buttons stay in view, and the rest scrolls. */
async function expectEndsInView(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 1366, height: 768 };
  await page.setViewportSize({ ...size, height: 625 });
  const box = dialog(page).locator('.modal-box');
  expect((await box.boundingBox())?.height).toBeLessThanOrEqual(625);
  await box.evaluate((element) => element.scrollTo(0, 0));
  await expect(box.getByRole('button').last()).toBeInViewport({ ratio: 1 });
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(box.getByRole('heading').first()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(size);
}

/** All listed rows chosen, and the menu of one open. */
async function expectTableFits(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /^Choose all \d+ listed$/ }).click();
  await expect(page.getByRole('region', { name: /^Chosen / })).toBeVisible();
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await expectFit(page);
  await page.keyboard.press('Escape');
}

async function expectFooter(page: Page): Promise<void> {
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText('48 Foundry Lane');
  await expect(footer.getByRole('navigation', { name: 'Quick links' }).getByRole('link')).toHaveText([
    'Home',
    'Blogs',
    'All Products',
  ]);
  await expect(footer.getByRole('navigation', { name: 'Social' }).getByRole('link')).toHaveText([
    'Facebook',
    'Instagram',
    'Twitter',
  ]);
}

test.describe('first visit', () => {
  // Without the theme that `test:all` chooses.
  test.use({ storageState: { cookies: [], origins: [] } });

  test("a visitor's pages fit each window, and the chosen theme stays", { tag: '@phone' }, async ({
    page,
  }) => {
    const toggle = page.getByRole('button', { name: 'Dark theme' });
    for (const [path, heading] of [
      ['/', 'We manufacture the parts you need.'],
      ['/blogs', 'Blogs'],
      ['/portfolio', 'Nadia Brandt'],
      ['/all-products', 'All Products'],
      ['/models/Norda%2012', 'Parts for Norda 12'],
      ['/nowhere', /./],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      if (path === '/') {
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
        await toggle.click();
      }
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      // Only the hydrated page knows the theme.
      await expect(toggle).toHaveAttribute('aria-pressed', 'true');
      await expectFooter(page);
      await expectEveryClassStyled(page);
      await expectFit(page);
    }
  });
});

test('the pages of sign-in fit each window with all their messages', async ({ page }) => {
  for (const [path, heading, press] of [
    ['/login', 'Login', 'Login'],
    ['/register', 'Sign Up', 'SIGN UP'],
    ['/forgot-password', 'Forgotten password', null],
    ['/reset-password', 'New password', null],
    ['/reset-password#token=x', 'New password', null],
    ['/verify-email', /./, null],
    ['/stop-mails#token=x', 'Stop mails about stock', null],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    if (press) {
      await page.getByRole('button', { name: press, exact: true }).click();
      await expect(page.getByText('Password is Required')).toBeVisible();
    }
    if (path === '/login') {
      await page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
    }
    await expectFooter(page);
    await expectEveryClassStyled(page);
    await expectFit(page);
  }
});

test('the page of a part fits each window', { tag: '@phone' }, async ({ page, request }) => {
  const [part] = await (await request.get('/product?q=OLED%20display%20assembly%206.1&limit=1')).json();
  await page.goto(`/products/${part._id}`);
  await expect(page).toHaveURL(`/products/${part._id}/oled-display-assembly-6-1-inch`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await expect(main(page).getByRole('link', { name: /^Open batch/ })).toBeVisible();
  await page.getByLabel('Quantity', { exact: true }).fill('30');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  await expectEveryClassStyled(page);
  await expectFit(page);
});

test("a customer's pages fit each window", { tag: '@phone' }, async ({ page, request }) => {
  const { person, part, order } = await prepareOrder(request);
  await signIn(page, person);
  await expectPageFits(page, 'my-orders', part.name);
  await expectDialogFits(page, /^Cancel order of/, true);
  await expectTableFits(page);
  await expectPageFits(page, `order/${order.id}`, 'Progress');
  await expectPageFits(page, 'my-profile', 'This browser');
  await expectPageFits(page, 'my-reviews', 'Submit review');
  await expectPageFits(page, 'connections', 'No program has a key.');
  await expectPageFits(page, 'own-names', 'No own names yet');
  const name = { alias: 'N'.repeat(60), productId: part._id };
  await callAs(request, person, 'PUT', '/batch/alias', name);
  await expectPageFits(page, 'own-names', part.name);
  await expectDialogFits(page, /^Rename/);
  await expectDialogFits(page, /^Remove/);
  await expectPageFits(page, 'my-prices', 'No agreed prices');
  const asked = { lines: [{ productId: part._id, quantity: 50 }], note: 'N'.repeat(500) };
  await callAs(request, person, 'POST', '/quote', asked);
  await expectPageFits(page, 'my-prices', 'Withdraw');
  await page.goto(`/dashboard/payment/${order.id}`);
  await fillCard(page, '4242 4242 4242 4242');
  await expectFit(page);
  await payButton(page).click();
  await expect(page.getByText('Success: Congrats. Your Payment is completed.')).toBeVisible();
  await expectFit(page);
});

test('the pages of ordering fit each window with all messages', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const person = await register(request);
  const part = await addProduct(request, { name: longName() });
  await signIn(page, person, `/purchase/${part._id}`);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByText('phone is Required')).toBeVisible();
  await page.getByLabel('Purchase Quantity').fill('49');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  await expectFit(page);

  await page.goto('/dashboard/batch');
  await expect(page.getByText('No lines yet')).toBeVisible();
  await expectFit(page);
  await saveInBatch(request, person, part);
  await page.reload();
  const quantity = page.getByLabel(`Quantity of ${part.name}`);
  await quantity.fill('49');
  await page.getByRole('button', { name: 'Add lines or a file' }).click();
  await page.getByLabel('Lines to add').fill(`${'X1'.repeat(100)}\nscrews 500`);
  await page.getByRole('button', { name: 'Add lines', exact: true }).click();
  await expect(page.getByText('3 to decide').first()).toBeVisible();
  // A field half under the bars would count as too small a target.
  await page.evaluate(() => scrollTo(0, 0));
  await expectFit(page);
  await quantity.fill('50');
  await fillDelivery(page);
  await page.getByRole('button', { name: /^Place \d/ }).click();
  await expect(page.getByRole('heading', { name: '1 order placed' })).toBeVisible();
  await expectFit(page);

  await page.goto(`/all-products?q=${encodeURIComponent(part.name)}`);
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByLabel(`Pieces of ${part.name}`).fill('49');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  await expectFit(page);
});

test('the lists of administrators fit each window with their questions', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const { person, part } = await prepareOrder(request);
  await signIn(page, administrator);
  await expectPageFits(page, `manage-orders?q=${part.name}`, part.name);
  await expectDialogFits(page, /^Cancel order of/, true);
  await expectTableFits(page);
  await expectPageFits(page, `manage-users?q=${encodeURIComponent(person.email)}`, person.email);
  await expectDialogFits(page, /^Make Admin/);
  await expectDialogFits(page, /^Delete user/, true);
  await expectPageFits(page, `manage-products?q=${part.name}`, part.name);
  await expectDialogFits(page, /^Restock /);
  await expectDialogFits(page, /^Delete /, true);
  const asked = { lines: [{ productId: part._id, quantity: 50, wished: 1 }], note: 'N'.repeat(500) };
  await callAs(request, person, 'POST', '/quote', asked);
  await expectPageFits(page, `prices?q=${encodeURIComponent(person.email)}`, person.name);
  await page
    .getByRole('button', { name: /^Lines of Q-/ })
    .first()
    .click();
  await expectFit(page);
  await page.goto('/dashboard/manage-products');
  await page.getByRole('checkbox', { name: /^Choose all \d+ listed$/ }).click();
  // A preview of many prices scrolls.
  await expectDialogFits(page, 'Change prices');
});

test("a part's pages for administrators fit each window", async ({ page, request }) => {
  const part = await addProduct(request, { name: longName() });
  await signIn(page, administrator);
  await expectPageFits(page, `manage-products/${part._id}`, 'Nothing is changed.');
  await expectPageFits(page, `manage-products/${part._id}/stock`, 'Sum of all movements since the part');
  await expectDialogFits(page, 'Correct stock');
  await expectPageFits(page, 'catalogue-file', 'Choose a CSV file or workbook');
  await expectPageFits(page, 'add-product', 'Choose a picture');
});

test("an owner's pages fit each window", async ({ page, request }) => {
  const { person, order } = await prepareOrder(request);
  await payForOrder(request, order);
  await signIn(page, administrator);
  await expectPageFits(page, 'overview', 'Orders by status');
  await expectPageFits(page, 'overview/month', 'By part');
  await expectPageFits(page, 'activity', 'Everything');
  const webhook = await makeFailedWebhook(request);
  await expectPageFits(page, 'connections', 'localhost:1');
  await expectDialogFits(page, 'New key');
  await expectDialogFits(page, 'New webhook');
  await expectPageFits(page, `webhooks/${webhook}`, 'Failed');
  await expectDialogFits(page, 'New secret');
  await expectDialogFits(page, 'Remove');
  await expectPageFits(page, `customers/${encodeURIComponent(person.email)}`, 'With us since');
  await expectDialogFits(page, 'Change');
  await expectPageFits(page, `order/${order.id}`, 'Check again');
  await expectDialogFits(page, 'Refund');
  await expectDialogFits(page, 'Change address');
  await expectDialogFits(page, 'accept payment');
});

test('the printed pages and mails of an order fit each window', async ({ page, request }) => {
  const { person, part, order } = await prepareOrder(request);
  const other = await placeOrder(request, person, part);
  await payForOrders(request, [order, other]);
  for (const each of [order, other]) await acceptPayment(request, each);
  await signIn(page, administrator);
  const both = `orders=${order.id},${other.id}`;
  await expectPageFits(page, `pick-list?${both}`, '2 orders, 1 part.');
  await expectPageFits(page, `packing-slips?orders=${order.id}`, 'Ship to');
  await expectPageFits(page, `packing-slips?${both}`, 'Ship to');
  await expectPageFits(page, 'parcels-csv', 'Choose a CSV file or workbook');
  await expectPageFits(page, `order/${order.id}`, 'pieces are to be sent.');
  await expectDialogFits(page, 'Add parcel');
  await expectPageFits(page, 'mail', 'Payment accepted');
});

test('the account of an administrator fits each window with its menu', async ({ page, request }) => {
  await signIn(page, await registerAdministrator(request, 'Maria Oosthuizen'));
  await expectPageFits(page, 'my-profile', 'This browser');
  await expect(page.getByRole('region', { name: 'Second factor' }).getByText('Off')).toBeVisible();
  await page.getByRole('button', { name: 'Maria' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expectFit(page);
});
