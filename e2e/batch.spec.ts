import { type APIRequestContext, expect, type Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { authorize, getAccessToken, type Person, register, signIn, submitLogin } from './people.ts';
import { addProduct, type Product, readStock, restock } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './silent-test.ts';

const readNumber = async (request: APIRequestContext, { _id }: Product): Promise<string> =>
  (await (await request.get(`/product/${_id}`)).json()).data.number;

/** Puts pieces of parts into somebody's batch, as other pages do. */
async function fillBatch(
  request: APIRequestContext,
  person: Person,
  parts: readonly Product[],
): Promise<void> {
  const headers = authorize(await getAccessToken(request, person));
  for (const { _id, minimumOrder } of parts) {
    const response = await request.put(`/batch/${_id}`, { headers, data: { quantity: minimumOrder } });
    expect(response.status()).toBe(200);
  }
}

const place = (page: Page) => page.getByRole('button', { name: /^Place \d/ });
const quantity = (page: Page, { name }: Product) => page.getByLabel(`Quantity of ${name}`);

test('many parts are pasted, mended and placed by keyboard alone, and the page leads to paying for them', async ({
  page,
  request,
}) => {
  const [first, second] = [await addProduct(request), await addProduct(request, { minimumOrder: 200 })];
  await signIn(page, await register(request), '/dashboard/batch');
  await expect(page.getByText('No lines yet')).toBeVisible();
  await page.getByLabel('Lines to add').focus();
  const lines = [
    'number;quantity',
    `${await readNumber(request, first)};75`,
    `${await readNumber(request, second)};50`,
  ];
  await page.keyboard.insertText([...lines, 'screws 500'].join('\n'));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(quantity(page, first)).toHaveValue('75');
  await expect(
    page.getByText('2 lines were added. This one could not be read and stays here:'),
  ).toBeVisible();
  await expect(page.getByLabel('Lines to add')).toHaveValue('number;quantity\nscrews 500');
  await expect(place(page)).toBeDisabled();
  await page.getByRole('button', { name: /^200 pieces of / }).press('Enter');
  await expect(quantity(page, second)).toBeFocused();
  await expect(quantity(page, second)).toHaveValue('200');
  await fillDelivery(page);
  await page.getByLabel('Your reference').fill('PO 4711');
  await place(page).press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: '2 orders placed' });
  await expect(heading).toBeFocused();
  await expect(page.getByText(/^Batch of .*, PO 4711$/)).toBeVisible();
  await expect(page.getByRole('link', { name: /^Pay all, \$17,737\.50$/ })).toHaveAttribute(
    'href',
    /^\/dashboard\/payment\?orders=[0-9a-f-]{36},[0-9a-f-]{36}$/,
  );
  expect(await readStock(request, first._id)).toBe(24_800 - 75);
  await page.reload();
  await expect(heading).toBeVisible();
  await page.goto('/dashboard/batch');
  await expect(page.getByText('No lines yet')).toBeVisible();
});

test('when the stock moves first nothing is placed, the line says what is left, and the others wait', async ({
  page,
  request,
}) => {
  const [scarce, other] = [await addProduct(request), await addProduct(request)];
  const person = await register(request);
  await fillBatch(request, person, [scarce, other]);
  await signIn(page, person, '/dashboard/batch');
  // Saved before the stock moves: the answer to it would tell the page.
  const saved = page.waitForResponse((each) => each.request().method() === 'PUT' && each.ok());
  await quantity(page, scarce).fill('150');
  await saved;
  await fillDelivery(page);
  await restock(request, scarce._id, 120);
  await place(page).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('1 of 2 lines cannot be ordered as it is. Nothing was placed.');
  await alert.getByRole('link', { name: 'Go to the first' }).press('Enter');
  await expect(quantity(page, scarce)).toBeInViewport();
  expect(await readStock(request, other._id)).toBe(24_800);
  await page.getByRole('button', { name: /^120 pieces of / }).click();
  await place(page).click();
  await expect(page.getByRole('heading', { name: '2 orders placed' })).toBeVisible();
  expect(await readStock(request, scarce._id)).toBe(0);
});

test('quantities are saved as they are typed, and the bar and the menu count the lines', {
  tag: '@phone',
}, async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await register(request);
  await fillBatch(request, person, [part]);
  await signIn(page, person, '/dashboard/batch');
  const saved = page.waitForResponse((each) => each.request().method() === 'PUT' && each.ok());
  await quantity(page, part).fill('175');
  await saved;
  await page.reload();
  await expect(quantity(page, part)).toHaveValue('175');
  const { width = 0 } = page.viewportSize() ?? {};
  if (width >= 1024) {
    await page.goto('/');
    await page.getByRole('link', { name: 'Batch, 1 line' }).click();
  } else {
    await page.goto('/');
    const menu = page.getByRole('button', { name: 'Menu' });
    await expect(menu).toHaveAccessibleName('Menu, batch of 1 line');
    // From 640 px on the batch has a link of its own beside the menu.
    await page.setViewportSize({ width: 800, height: 844 });
    await expect(page.getByRole('link', { name: 'Batch, 1 line' })).toBeVisible();
    await expect(menu).toHaveAccessibleName('Menu');
    await page.setViewportSize({ width, height: 844 });
    await menu.click();
    await page.getByRole('link', { name: 'Batch 1 line' }).click();
  }
  await expect(quantity(page, part)).toHaveValue('175');
});

test('what a visitor has put together waits for the sign-in', async ({ page, request }) => {
  const [part, person] = [await addProduct(request), await register(request)];
  await page.context().clearCookies();
  await page.goto('/robots.txt');
  // As Add to batch on a part keeps it.
  await page.evaluate(
    (productId) =>
      localStorage.setItem(
        'batch',
        JSON.stringify({
          join: '0e5b6c1e-7a3d-4f0b-8c2d-1f2e3a4b5c6d',
          lines: [{ productId, quantity: 250 }],
        }),
      ),
    part._id,
  );
  await page.goto('/dashboard/batch');
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2Fbatch');
  await submitLogin(page, person);
  await expect(page).toHaveURL('/dashboard/batch');
  await expect(quantity(page, part)).toHaveValue('250');
  await page.reload();
  await expect(quantity(page, part)).toHaveValue('250');
});

for (const theme of themes) {
  test(
    `the batch, empty, with problems and placed, is accessible in ${theme}`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      await storeTheme(page, theme);
      const person = await register(request);
      await signIn(page, person, '/dashboard/batch');
      await expect(page.getByText('No lines yet')).toBeVisible();
      await expectAccessible(page);
      const [part, long] = [await addProduct(request), await addProduct(request, { name: 'M'.repeat(120) })];
      await fillBatch(request, person, [part, long]);
      await page.reload();
      await quantity(page, part).fill('49');
      await page
        .getByLabel('Lines to add')
        .fill(`${'X'.repeat(200)}\n${await readNumber(request, part)}X 500`);
      await page.getByRole('button', { name: 'Add lines' }).click();
      await expect(page.getByText(/could not be read/)).toBeVisible();
      // What lies half below the bars is not what is asked about.
      await page.evaluate(() => scrollTo(0, 0));
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await quantity(page, part).fill('50');
      await fillDelivery(page);
      await place(page).click();
      await expect(page.getByRole('heading', { name: '2 orders placed' })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  );
}
