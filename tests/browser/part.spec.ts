import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { placeOrder } from './orders.ts';
import { register, submitLogin } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './silent-test.ts';

interface ListedPart {
  _id: string;
  name: string;
  quantity: number;
  minimumOrder: number;
  priceBreaks: { quantity: number; price: number }[];
}

const quantity = (page: Page) => page.getByLabel('Quantity', { exact: true });

/** Has price breaks at 500 and 5,000 pieces. */
async function findPart(request: APIRequestContext): Promise<ListedPart> {
  const [part] = await (await request.get('/product?q=OLED%20display%20assembly%206.1&limit=1')).json();
  return part;
}

test('a visitor chooses a quantity, logs in and orders by keyboard alone', async ({ page, request }) => {
  const part = await findPart(request);
  const person = await register(request);
  await page.goto(`/products/${part._id}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await quantity(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('475');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '500 pieces' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(quantity(page)).toBeFocused();
  await expect(quantity(page)).toHaveValue('500');
  await expect(page.getByRole('row', { name: /applies now/ })).toContainText('$61.20');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(
    page.getByRole('region', { name: 'Order' }).getByRole('link', { name: 'Order Now' }),
  ).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login/);
  await submitLogin(page, person);
  await expect(page).toHaveURL(`/purchase/${part._id}?quantity=500`);
  await expect(page.getByLabel('Purchase Quantity')).toHaveValue('500');
  await expect(page.locator('.price[aria-live]')).toHaveText('$30,600.00');
  await expect(page.getByRole('heading', { level: 1, name: part.name })).toBeFocused();
  await tabTo(page, 'Address');
  await page.keyboard.type('12 Oxford Street, Osu');
  await tabTo(page, 'phone');
  await page.keyboard.type('233302771204');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Order placed successfully')).toBeVisible();
});

test("a part shows others' orders at once, and its time offline", async ({ page, request, context }) => {
  const part = await addProduct(request, { quantity: 2000 });
  const streams: string[] = [];
  page.on('request', (each) => each.resourceType() === 'eventsource' && streams.push(each.url()));
  await page.goto(`/products/${part._id}`);
  const order = page.getByRole('region', { name: 'Order' });
  await expect(order.getByText('Live', { exact: true })).toBeVisible();
  await placeOrder(request, await register(request), part, 60);
  await expect(order).toContainText('1,940 in stock');
  expect(streams).toHaveLength(1);
  await context.setOffline(true);
  await expect(order.getByText(/^As of \d\d:\d\d$/)).toBeVisible();
  await expect(order).toContainText('1,940 in stock');
  await context.setOffline(false);
  await expect(order.getByText('Live', { exact: true })).toBeVisible();
});

/** At most twenty steps. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  for (let steps = 0; steps < 20; steps += 1) {
    await page.keyboard.press('Tab');
    if (await field.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(field).toBeFocused();
}
