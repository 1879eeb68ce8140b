import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { register, signIn } from './people.ts';
import { addProduct, type Product, readStock } from './products.ts';
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
  await page.getByRole('button', { name: 'Remove line 4, screws 500' }).press('Enter');
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
