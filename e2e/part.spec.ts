import { type APIRequestContext, expect, type Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
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

/** The part of the demonstration with price breaks at 500 and 5,000 pieces. */
async function findPart(request: APIRequestContext): Promise<ListedPart> {
  const [part] = await (await request.get('/product?q=OLED%20display%20assembly%206.1&limit=1')).json();
  return part;
}

for (const theme of themes) {
  test(
    `a visitor reads a part in the ${theme} theme, with nothing for axe to find`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      const part = await findPart(request);
      await storeTheme(page, theme);
      await page.goto(`/products/${part._id}`);
      await expect(page).toHaveURL(`/products/${part._id}/oled-display-assembly-6-1-inch`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(part.name);
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await quantity(page).fill('30');
      await expect(page.getByText('Please order minimum 50')).toBeVisible();
      await expectAccessible(page);
    },
  );
}

for (const theme of themes) {
  test(
    `in the ${theme} theme the QR code opens and closes by keyboard alone, and axe finds nothing in it`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      const part = await findPart(request);
      await storeTheme(page, theme);
      await page.goto(`/products/${part._id}`);
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      const link = page.getByRole('link', { name: 'QR code' });
      await link.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'QR code' });
      await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
      await expect(dialog.getByRole('img')).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(link).toBeFocused();
    },
  );
}

test('a printed QR code has the part’s name and number beside it, and nothing else', async ({
  page,
  request,
}) => {
  const part = await findPart(request);
  await page.goto(`/products/${part._id}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'QR code' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(dialog.getByRole('img')).toBeVisible();
  await expect(dialog.getByText(part.name)).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('heading')).toHaveCount(0);
});

test('by keyboard alone: a quantity, the cheaper break, Order Now, login, and the quantity is there', async ({
  page,
  request,
}) => {
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
  await expect(page.getByRole('status').filter({ hasText: '$' })).toHaveText('$30,600.00');
});

test('what others order is on the page at once, and without a connection it says of what time it is', async ({
  page,
  request,
  context,
}) => {
  const part = await addProduct(request, { quantity: 2000 });
  await page.goto(`/products/${part._id}`);
  const order = page.getByRole('region', { name: 'Order' });
  await expect(order.getByText('Live', { exact: true })).toBeVisible();
  await placeOrder(request, await register(request), part, 60);
  await expect(order).toContainText('1,940 in stock');
  await context.setOffline(true);
  await expect(order.getByText(/^As of \d\d:\d\d$/)).toBeVisible();
  await expect(order).toContainText('1,940 in stock');
  await context.setOffline(false);
  await expect(order.getByText('Live', { exact: true })).toBeVisible();
});

test('a window that nobody sees listens to nothing, and a page without a part neither', async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  const streams: string[] = [];
  page.on('request', (each) => each.resourceType() === 'eventsource' && streams.push(each.url()));
  await page.goto(`/products/${part._id}`);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(streams).toHaveLength(1);
  await page.getByRole('link', { name: 'All Parts' }).filter({ visible: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'All Products' })).toBeVisible();
  expect(streams).toHaveLength(1);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a part is read, and Order Now leads on', async ({ page, request }) => {
    const part = await findPart(request);
    await page.goto(`/products/${part._id}`);
    await expect(page.getByRole('table')).toContainText('from 5,000');
    await expect(page.getByRole('link', { name: 'Order Now' }).first()).toHaveAttribute(
      'href',
      `/purchase/${part._id}?quantity=50`,
    );
    await expectNoSidewaysScroll(page);
  });
});
