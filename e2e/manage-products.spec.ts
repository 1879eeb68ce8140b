import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts';
import { refuseRequest } from './network.ts';
import { administrator, expireSession, signIn, submitLogin } from './people.ts';
import { addProduct, readStock } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

const picture = 'web/public/icon-512.png';

async function fillProduct(page: Page, name = 'Ultra-wide camera module'): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Description').fill('Ultra-wide module with 120 degree field of view.');
  await page.getByLabel('Price').fill('21.40');
  await page.getByLabel('Quantity').fill('8000');
  await page.getByLabel('Minimum Order').fill('50');
  await page.getByLabel('Image: choose a picture').setInputFiles(picture);
  // It moves the button below it.
  await expect(page.getByRole('img', { name: 'Preview of the chosen picture' })).toBeVisible();
}

test('a product is added with its picture and appears in the shop', async ({ page, request }) => {
  const name = `Ultra-wide camera module ${Date.now()}`;
  await signIn(page, administrator, '/dashboard/add-product');
  const add = page.getByRole('button', { name: 'Add Product', exact: true });
  await fillProduct(page, name);
  await expect(page.getByText('icon-512.png')).toBeVisible();
  await expect(page.getByText('512 × 512 px', { exact: false })).toBeVisible();
  await expectAccessible(page);
  const sent = page.waitForRequest((each) => each.url().includes('?key='));
  await add.click();
  expect((await sent).headers()['content-type']).toContain('multipart/form-data');
  await expect(page.getByText('product uploaded successfully')).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  for (const field of ['Name', 'Description', 'Price', 'Quantity', 'Minimum Order']) {
    await expect(page.getByLabel(field)).toHaveValue('');
  }
  await expect(page.getByText('Choose a picture')).toBeVisible();
  // The same number once more is a number, too.
  await page.getByLabel('Minimum Order').fill('50');
  await add.click();
  await expect(page.getByText('Name is Required')).toBeVisible();
  await expect(page.getByText('minimumOrder is Required')).toHaveCount(0);
  const [newest] = await (await request.get(`/product?q=${encodeURIComponent(name)}`)).json();
  expect(newest).toMatchObject({ name, price: 21.4, quantity: 8000, minimumOrder: 50 });
  expect((await request.get(newest.image)).status()).toBe(200);
});

test('an empty product form names every missing field in the words of the specification', async ({
  page,
}) => {
  await signIn(page, administrator, '/dashboard/add-product');
  await page.getByRole('button', { name: 'Add Product', exact: true }).click();
  for (const message of [
    'Name is Required',
    'Description is Required',
    'Price is Required',
    'quantity is Required',
    'minimumOrder is Required',
    'Image is Required',
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Price')).toHaveAttribute('min', '1');
  await expect(page.getByLabel('Quantity')).toHaveAttribute('min', '1000');
  await expect(page.getByLabel('Minimum Order')).toHaveAttribute('min', '50');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('what is no picture, or too large, is refused before it is sent', async ({ page }) => {
  await signIn(page, administrator, '/dashboard/add-product');
  let sent = 0;
  page.on('request', (each) => {
    if (each.url().includes('/images/')) sent += 1;
  });
  const file = page.getByLabel('Image: choose a picture');
  await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  await expect(page.getByText('This is not a picture that can be used.')).toBeVisible();
  await file.setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('This file cannot be shown as a picture.')).toBeVisible();
  await file.setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(10 * 1024 * 1024 + 1),
  });
  await expect(page.getByText('This picture is too large')).toBeVisible();
  expect(sent).toBe(0);
  await file.setInputFiles(picture);
  await expect(page.getByText('icon-512.png')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Choose a picture')).toBeVisible();
  await expect(file).toBeFocused();
});

test('a picture that the image host refuses is named under the picture, and nothing typed is lost', async ({
  page,
}) => {
  await signIn(page, administrator, '/dashboard/add-product');
  await fillProduct(page);
  await page.route('**/images/upload?key=*', async (route) => {
    // While it is on its way the share that is sent stands under the picture.
    await expect(page.getByRole('progressbar', { name: 'Picture upload' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Uploading…' })).toHaveAttribute('aria-busy', 'true');
    await refuseRequest(route, 413, 'too-large', { title: 'The picture must be at most 10 MB' });
  });
  await page.getByRole('button', { name: 'Add Product', exact: true }).click();
  await expect(page.getByText('something error happend')).toBeVisible();
  await expect(page.getByLabel('Replace Image')).toHaveAccessibleDescription(
    'The picture must be at most 10 MB',
  );
  await expect(page.getByLabel('Replace Image')).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveValue('Ultra-wide camera module');
  await expectAccessible(page);
});

test('a session that ends while a product is typed leads to /login and back to what was typed', async ({
  page,
}) => {
  await signIn(page, administrator, '/dashboard/add-product');
  await fillProduct(page);
  await expireSession(page);
  await page.getByRole('button', { name: 'Add Product', exact: true }).click();
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2Fadd-product');
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await expect(page.getByText('something error happend')).toHaveCount(0);
  await submitLogin(page, administrator);
  await expect(page.getByLabel('Name')).toHaveValue('Ultra-wide camera module');
  await expect(page.getByLabel('Price')).toHaveValue('21.4');
  await expect(page.getByLabel('Minimum Order')).toHaveValue('50');
  await expect(page.getByText('Choose a picture')).toBeVisible();
});

test("a product that cannot be added says 'something error happend' and keeps what was typed", async ({
  page,
}) => {
  await signIn(page, administrator, '/dashboard/add-product');
  await fillProduct(page);
  await page.route('**/product', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.fallback(),
  );
  await page.getByRole('button', { name: 'Add Product', exact: true }).click();
  await expect(page.getByText('something error happend')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Ultra-wide camera module');
  await expect(page.getByText('icon-512.png')).toBeVisible();
});

test("Manage Products reads 'My Orders', restocks and deletes after a question", { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  await signIn(page, administrator, '/dashboard/manage-products');
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await expect(page).toHaveTitle('Manage Products · Parts Forge');
  await page.getByRole('button', { name: `Restock ${part.name}` }).click();
  const restock = page.getByRole('dialog', { name: 'Restock' });
  const pieces = restock.getByLabel('Pieces to add');
  await expect(pieces).toBeFocused();
  await pieces.fill('6200.5');
  await pieces.press('Enter');
  await expect(restock.getByText('Must be a whole number')).toBeVisible();
  await pieces.fill('6200');
  await page.route(`**/product/${part._id}/stock`, (route) => route.abort(), { times: 1 });
  await restock.getByRole('button', { name: 'Add 6,200' }).click();
  await expect(restock.getByRole('alert')).toContainText('The server did not answer. Try again.');
  await expect(pieces).toHaveValue('6200');
  await restock.getByRole('button', { name: 'Add 6,200' }).click();
  await expect(findRow(page, part.name)).toContainText('31,000');
  expect(await readStock(request, part._id)).toBe(31_000);
  await page.getByRole('button', { name: `Delete ${part.name}` }).click();
  const question = page.getByRole('dialog', { name: 'Delete this product?' });
  await expect(question.getByRole('button', { name: 'Keep product' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete product' }).click();
  await expect(page.getByText('product deleted successfully ')).toBeVisible();
  const toast = page.getByRole('status').getByText('product deleted successfully');
  expect(await toast.evaluate((element) => element.textContent)).toBe('product deleted successfully ');
  await expect(findRow(page, part.name)).toHaveCount(0);
  expect((await request.get(`/product/${part._id}`)).status()).toBe(404);
});
