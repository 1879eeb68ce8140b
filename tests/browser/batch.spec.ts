import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { register, signIn } from './people.ts';
import { addProduct, type Product, readStock, saveInBatch } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './silent-test.ts';

const readNumber = async (request: APIRequestContext, { _id }: Product): Promise<string> =>
  (await (await request.get(`/product/${_id}`)).json()).data.number;

const place = (page: Page) => page.getByRole('button', { name: /^Place \d/ });
const quantity = (page: Page, { name }: Product) => page.getByLabel(`Quantity of ${name}`);

test('parts are pasted, corrected and placed by keyboard alone', async ({ page, request }) => {
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
  await expect(page.getByText('2 of 3 lines read. The pieces stand in “quantity”.')).toBeVisible();
  await expect(page.getByText('1 of 3 lines, 75 pieces')).toBeVisible();
  await page.getByRole('button', { name: /^Remove line 4, / }).press('Enter');
  await page.getByRole('button', { name: /^200 pieces of / }).press('Enter');
  await expect(quantity(page, second)).toBeFocused();
  await expect(quantity(page, second)).toHaveValue('200');
  await fillDelivery(page);
  await page.getByLabel('Your reference').fill('PO 4711');
  await place(page).press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: '2 parts placed' });
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

test('a file is read, taken back, and its ready lines placed', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const [known, fresh] = [await addProduct(request), await addProduct(request, { minimumOrder: 200 })];
  const person = await register(request);
  await saveInBatch(request, person, known);
  await signIn(page, person, '/dashboard/batch');
  const rows = [await readNumber(request, known), await readNumber(request, fresh), 'MY-123'];
  const buffer = Buffer.from(['Part;Qty', ...rows.map((number) => `${number};100`)].join('\n'));
  const choose = async () => {
    await page.getByRole('button', { name: 'Add lines or a file' }).click();
    await page
      .getByLabel('Choose a file with lines')
      .setInputFiles({ name: 'week-48.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByText('2 of 3 lines read')).toBeVisible();
  };
  await choose();
  await expect(quantity(page, known)).toHaveValue('150');
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(quantity(page, known)).toHaveValue('50');
  await expect(quantity(page, fresh)).toHaveCount(0);
  await choose();
  await expect(page.getByText('2 to decide').first()).toBeVisible();
  await fillDelivery(page);
  await place(page).click();
  await expect(page.getByRole('heading', { level: 1, name: '1 order placed' })).toBeVisible();
  await page.goto('/dashboard/batch');
  await expect(quantity(page, fresh)).toHaveValue('100');
  await expect(page.getByText('MY-123').first()).toBeVisible();
});

test('ten labels in a row fill the batch', { tag: '@only-phone' }, async ({ page, request }) => {
  await signIn(page, await register(request));
  const parts: Product[] = await (await request.get('/product?limit=10')).json();
  for (const [index, part] of parts.entries()) {
    await page.goto(`/products/${part._id}#label`);
    await page.getByRole('button', { name: /^Add [\d,]+ to batch$/ }).tap();
    const lines = index === 0 ? '1 line' : `${index + 1} lines`;
    await expect(page.getByText(`Added, ${lines} in the batch`)).toBeFocused();
  }
});
