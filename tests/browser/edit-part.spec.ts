import { expect } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts';
import { administrator, signIn } from './people.ts';
import { addProduct, editPrice, readStock } from './products.ts';
import { test } from './recorded-test.ts';

test('a part is edited and compared with another edit', async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, administrator, `/dashboard/manage-products?q=${encodeURIComponent(part.name)}`);
  await page.getByRole('link', { name: part.name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edit part' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Price', exact: true }).fill('65');
  await page.getByLabel('Kind').selectOption('Flexes and sensors');
  await page.getByLabel('Add a phone model').fill('Norda 12');
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 changes: kind, price, fits')).toBeVisible();

  await editPrice(request, part, 66);
  const save = page.getByRole('button', { name: 'Save changes' });
  await save.click();
  const conflict = page.getByRole('alert').filter({ hasText: 'Your changes are not saved yet.' });
  await expect(conflict).toContainText('Changed by Administrator');
  await expect(conflict).toContainText('$64.50 → $66.00');
  // A control half under the navbar would count as too small.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await conflict.getByText('Keep mine').click();
  await save.click();
  await expect(page.getByText(`${part.name}: saved`)).toBeVisible();
  const { data } = await (await request.get(`/product/${part._id}`)).json();
  expect(data).toMatchObject({ price: 65, kind: 'Flexes and sensors', fits: ['Norda 12'], version: 3 });

  await page.getByRole('button', { name: 'Add a break' }).click();
  await save.click();
  const sign = page.locator('.pf-error > svg');
  expect(await sign.boundingBox()).toMatchObject({ width: 16, height: 16 });
  // A desktop at 400 % zoom.
  await page.setViewportSize({ width: 320, height: 640 });
  const { x = 0, width = 0 } = (await save.boundingBox()) ?? {};
  expect(x + width).toBeLessThanOrEqual(276);
});

test('stock is added in the ledger, and by a previewed file', async ({ page, request }) => {
  const part = await addProduct(request);
  const { data } = await (await request.get(`/product/${part._id}`)).json();
  await signIn(page, administrator, `/dashboard/manage-products/${part._id}/stock`);
  await page.getByRole('button', { name: 'Restock' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restock' });
  await dialog.getByLabel('Pieces to add').fill('200');
  await dialog.getByLabel('Note').fill('Delivery 7');
  await dialog.getByRole('button', { name: 'Add 200' }).click();
  await expect(page.getByRole('row', { name: /^Restock/ })).toContainText('Delivery 7');
  expect(await readStock(request, part._id)).toBe(25_000);

  await page.goto('/dashboard/catalogue-file');
  await page.getByLabel('Choose a CSV file or workbook').setInputFiles({
    name: 'restock.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`number,add,price\n${data.number},500,70\nNO-SUCH-PART,5,\n`),
  });
  await expect(page.getByText('Nothing is changed yet')).toBeVisible();
  await expect(page.getByText('No part has the number NO-SUCH-PART.', { exact: false })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  expect(await readStock(request, part._id)).toBe(25_000);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await expect(page.getByRole('heading', { name: '1 part changed' })).toBeFocused();
  await expectAccessible(page);
  expect(await readStock(request, part._id)).toBe(25_500);
});
