import { expect } from '@playwright/test';
import { administrator, signIn } from './people.ts';
import { addProduct, readStock } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow, pressInMenu } from './rows.ts';

test('an administrator adds a product with its picture', async ({ page, request }) => {
  const name = `Ultra-wide camera module ${Date.now()}`;
  await signIn(page, administrator, '/dashboard/add-product');
  const add = page.getByRole('button', { name: 'Add Product', exact: true });
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Description').fill('Ultra-wide module with 120 degree field of view.');
  await page.getByLabel('Price').fill('21.40');
  await page.getByLabel('Quantity').fill('8000');
  await page.getByLabel('Minimum Order').fill('50');
  const file = page.getByLabel('Image: choose a picture');
  await file.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('This file cannot be shown as a picture.')).toBeVisible();
  await file.setInputFiles('web/public/icon-512.png');
  // The picture moves the button below it.
  await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible();
  await expect(page.getByText('icon-512.png')).toBeVisible();
  await expect(page.getByText('512 × 512 px', { exact: false })).toBeVisible();
  const sent = page.waitForRequest((each) => each.url().includes('?key='));
  await add.click();
  expect((await sent).headers()['content-type']).toContain('multipart/form-data');
  await expect(page.getByText('product uploaded successfully')).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  for (const field of ['Name', 'Description', 'Price', 'Quantity', 'Minimum Order']) {
    await expect(page.getByLabel(field)).toHaveValue('');
  }
  await expect(page.getByText('Choose a picture')).toBeVisible();
  // Typing the same number again is valid, too.
  await page.getByLabel('Minimum Order').fill('50');
  await add.click();
  await expect(page.getByText('Name is Required')).toBeVisible();
  await expect(page.getByText('minimumOrder is Required')).toHaveCount(0);
  const [newest] = await (await request.get(`/product?q=${encodeURIComponent(name)}`)).json();
  expect(newest).toMatchObject({ name, price: 21.4, quantity: 8000, minimumOrder: 50 });
  expect((await request.get(newest.image)).status()).toBe(200);
});

test('an administrator restocks and deletes a product', async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, administrator, '/dashboard/manage-products');
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await expect(page).toHaveTitle('Manage Products · Parts Forge');
  await page.getByRole('button', { name: `Restock ${part.name}` }).click();
  const restock = page.getByRole('dialog', { name: 'Restock' });
  const pieces = restock.getByLabel('Pieces to add');
  await expect(pieces).toBeFocused();
  await pieces.fill('6200');
  await page.route(`**/product/${part._id}/stock`, (route) => route.abort(), { times: 1 });
  await restock.getByRole('button', { name: 'Add 6,200' }).click();
  await expect(restock.getByRole('alert')).toContainText('The server did not answer. Try again.');
  await expect(pieces).toHaveValue('6200');
  await restock.getByRole('button', { name: 'Add 6,200' }).click();
  await expect(findRow(page, part.name)).toContainText('31,000');
  expect(await readStock(request, part._id)).toBe(31_000);
  await pressInMenu(findRow(page, part.name), `Delete ${part.name}`);
  const question = page.getByRole('dialog', { name: 'Delete this product?' });
  await expect(question.getByRole('button', { name: 'Keep product' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete product' }).click();
  await expect(page.getByText('product deleted successfully ')).toBeVisible();
  const toast = page.getByRole('status').getByText('product deleted successfully');
  expect(await toast.evaluate((element) => element.textContent)).toBe('product deleted successfully ');
  await expect(findRow(page, part.name)).toHaveCount(0);
  expect((await request.get(`/product/${part._id}`)).status()).toBe(404);
});
