import { expect, type Page } from '@playwright/test';
import { register, signIn } from './people.ts';
import { addProduct, type Product, readStock } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './silent-test.ts';

const quantity = (page: Page) => page.getByLabel('Purchase Quantity');
const purchase = (page: Page) => page.getByRole('button', { name: 'Purchase' });
const total = (page: Page) => page.locator('.price[aria-live]');

async function openPurchase(page: Page, part: Product) {
  const person = await register(page.request);
  await signIn(page, person, `/purchase/${part._id}`);
  await expect(quantity(page)).toHaveValue(String(part.minimumOrder));
  return person;
}

test('a double click on Purchase places one unpaid order', async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await openPurchase(page, part);
  await expect(page.getByRole('heading', { level: 1, name: part.name })).toBeVisible();
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('Price Per Unit$64.50');
  await expect(sheet).toContainText('Quantity24,800');
  await expect(sheet).toContainText('Minimum Order Quantity50');
  const form = page.getByRole('region', { name: 'Your order' });
  await expect(form).toContainText(`Name${person.name}`);
  await expect(form).toContainText(`Email${person.email}`);
  await fillDelivery(page);
  const before = await form.boundingBox();
  await quantity(page).fill('49');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  expect((await form.boundingBox())?.height).toBe(before?.height);
  await expect(purchase(page)).toBeDisabled();
  await quantity(page).fill('120');
  await quantity(page).hover();
  await page.mouse.wheel(0, 120);
  await expect(quantity(page)).toHaveValue('120');
  await expect(total(page)).toHaveText('$7,740.00');
  const sent = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/order'));
  await purchase(page).dblclick();
  expect((await sent).postDataJSON()).toMatchObject({
    email: person.email,
    name: person.name,
    address: '12 Oxford Street, Osu\nAccra, Ghana',
    phone: '233302771204',
    productId: part._id,
    productName: part.name,
    quantity: 120,
    totalPrice: 7740,
    status: 'due',
    image: expect.stringMatching(/./),
  });
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await expect(page.getByText('120 pieces ordered.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Pay \$/ })).toHaveAttribute(
    'href',
    /^\/dashboard\/payment\/[-0-9a-f]{36}$/,
  );
  await expect(sheet).toContainText('Quantity24,680');
  expect(await readStock(request, part._id)).toBe(24_680);
  await expect(page.getByLabel('Address')).toHaveValue('');
  await expect(page.getByLabel('phone')).toHaveValue('');
  await expect(quantity(page)).toHaveValue('50');
  await expect(page.getByRole('heading', { name: 'Your order' })).toBeFocused();
  await expect(page.getByText('Address is Required')).toHaveCount(0);
  await page.goto('/dashboard/my-orders');
  const row = page.getByRole('row').filter({ hasText: part.name });
  await expect(row).toContainText('120');
  await expect(row).toContainText('$7,740.00');
  await expect(row).toContainText('unpaid');
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 625 });
    const name = row.getByTitle(part.name);
    expect(await name.evaluate((line) => line.scrollWidth <= line.clientWidth), `${width}`).toBe(true);
    await expect(row.getByRole('link', { name: /^\d+$/ })).toBeVisible();
  }
});

test('an order is placed once although its answer was lost', async ({ page, context, request }) => {
  const part = await addProduct(request);
  await openPurchase(page, part);
  await fillDelivery(page);
  const keys: (string | null)[] = [];
  await page.route('**/order', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length > 1) return route.fallback();
    // The order arrives and is placed; only the answer is lost.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await purchase(page).click();
  await expect(page.getByRole('alert')).toContainText('No answer came.');
  await expect(page.getByLabel('Address')).toHaveValue('12 Oxford Street, Osu\nAccra, Ghana');
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await context.setOffline(false);
  await purchase(page).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(await readStock(request, part._id)).toBe(24_750);
});
