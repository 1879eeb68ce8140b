import { type APIRequestContext, type Page, test } from '@playwright/test';
import { inTheme, themes } from '../accessible.ts';
import { anOrder, cancelBeside, fillCard, payBeside, payButton } from '../paying.ts';
import { administrator, aPerson, type Person, registered, signIn } from '../people.ts';
import { aPart, type Part } from '../stock.ts';

/** Where the pictures go: `<screen>.<desktop|phone>.<theme>.png`. */
const folder = 'screenshots';

for (const theme of themes) {
  test.describe(`in the ${theme} theme`, () => {
    test.beforeEach(({ page }) => inTheme(page, theme));

    test('as a visitor', async ({ page }) => {
      for (const [path, name] of [
        ['/', 'landing'],
        ['/blogs', 'blogs'],
        ['/portfolio', 'portfolio'],
        ['/all-products', 'all-products'],
        ['/all-products?q=nothing%20like%20this', 'all-products-empty'],
        ['/login', 'login'],
        ['/login?from=%2Fdashboard', 'login-from-dashboard'],
        ['/register', 'register'],
        ['/no/such/page', 'not-found'],
      ] as const) {
        await page.goto(path);
        await take(page, name, theme);
      }
      await page.goto('/register');
      await page.getByRole('button', { name: 'SIGN UP' }).click();
      await take(page, 'register-errors', theme);
      await page.goto('/login');
      await page.getByLabel('Email').fill('nobody@repair.example');
      await page.getByLabel('Password').fill('wrong password');
      await page.getByRole('button', { name: 'Login', exact: true }).click();
      await page.getByRole('alert').first().waitFor();
      await take(page, 'login-error', theme);
      await page.goto('/');
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) {
        await menu.click();
        await take(page, 'landing-nav-open', theme, false);
      }
    });

    test('as a customer', async ({ page, request }) => {
      const customer = await registered(request, aPerson());
      const part = await aPartShown(request);
      const unpaid = await anOrder(request, customer, part, 120);
      await payBeside(request, await anOrder(request, customer, part, 60));
      await signIn(page, customer, `/purchase/${part._id}`);
      await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
      await page.getByLabel('phone').fill('233302771204');
      const quantity = page.getByLabel('Purchase Quantity');
      await quantity.fill('120');
      await take(page, 'purchase', theme);
      await quantity.fill('49');
      await take(page, 'purchase-below-minimum', theme);
      await quantity.fill('99999999');
      await take(page, 'purchase-above-maximum', theme);
      await visit(page, '/dashboard/my-profile', 'my-profile', theme);
      await visit(page, '/dashboard/my-orders', 'my-orders', theme);
      await page
        .getByRole('button', { name: /^Cancel/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await take(page, 'my-orders-cancel', theme, false);
      await visit(page, '/dashboard/my-reviews', 'add-review', theme);
      await payScreens(page, unpaid.id, theme);
      await cancelledScreens(page, request, customer, part, theme);
    });

    test('as an administrator', async ({ page, request }) => {
      const customer = await registered(request, aPerson('Greta Solberg'));
      await payBeside(request, await anOrder(request, customer, await aPartShown(request)));
      await signIn(page, administrator, '/dashboard/my-profile');
      await visit(page, '/dashboard/my-profile', 'my-profile-admin', theme);
      await visit(page, '/dashboard/manage-orders', 'manage-orders', theme);
      await visit(page, '/dashboard/manage-users', 'manage-users', theme);
      await page
        .getByRole('button', { name: /^Make Admin/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await take(page, 'manage-users-make-admin', theme, false);
      await visit(page, '/dashboard/add-product', 'add-product-empty', theme);
      await page.getByRole('button', { name: 'Add Product', exact: true }).click();
      await take(page, 'add-product-errors', theme);
      await visit(page, '/dashboard/manage-products', 'manage-products', theme);
      await page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await take(page, 'manage-products-delete', theme, false);
    });
  });
}

/** A part of the demonstration shop, which looks like one. */
async function aPartShown(request: APIRequestContext): Promise<Part> {
  const [part] = await (await request.get('/product?q=OLED&sort=name&limit=1')).json();
  return part ?? aPart(request);
}

async function payScreens(page: Page, order: string, theme: string): Promise<void> {
  await page.goto(`/dashboard/payment/${order}`);
  await payButton(page).waitFor();
  await fillCard(page, '4000000000000002');
  await take(page, 'payment', theme);
  await payButton(page).click();
  await page.getByText('Error: Your card was declined.').waitFor();
  await take(page, 'payment-error', theme);
  await fillCard(page, '4242424242424242');
  await payButton(page).click();
  await page.getByText('Success: Congrats. Your Payment is completed.').waitFor();
  await take(page, 'payment-success', theme);
  await page.reload();
  await page.getByText('Product Payment Already done').waitFor();
  await take(page, 'payment-done', theme);
}

async function cancelledScreens(
  page: Page,
  request: APIRequestContext,
  customer: Person,
  part: Part,
  theme: string,
): Promise<void> {
  const order = await anOrder(request, customer, part);
  await cancelBeside(request, order);
  await visit(page, `/dashboard/payment/${order.id}`, 'payment-gone', theme);
}

async function visit(page: Page, path: string, name: string, theme: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await take(page, name, theme);
}

/** @param whole the whole page, or the window alone where something floats over it */
async function take(page: Page, name: string, theme: string, whole = true): Promise<void> {
  const { name: device } = test.info().project;
  await page.waitForLoadState('networkidle');
  await page.evaluate(async (toTop) => {
    await document.fonts.ready;
    // What is fixed to the window would stand in the middle of the picture.
    if (toTop) window.scrollTo(0, 0);
  }, whole);
  await page.screenshot({
    path: `${folder}/${name}.${device}.${theme}.png`,
    fullPage: whole,
    animations: 'disabled',
  });
}
