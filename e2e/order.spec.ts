import { expect, type Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { holdRequests, refuseRequest } from './network.ts';
import {
  administrator,
  authorize,
  expireSession,
  getAccessToken,
  register,
  signIn,
  submitLogin,
} from './people.ts';
import { addProduct, type Product, readStock, restock } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './silent-test.ts';

const quantity = (page: Page) => page.getByLabel('Purchase Quantity');
const purchase = (page: Page) => page.getByRole('button', { name: 'Purchase' });
const total = (page: Page) => page.getByRole('status').filter({ hasText: '$' });

/** The stream of events, which may come before the press, tells the page nothing: it learns of it by its order. */
const keepPageUntold = (page: Page) => holdRequests(page, '**/live?*');

async function openPurchase(page: Page, part: Product) {
  const person = await register(page.request);
  await signIn(page, person, `/purchase/${part._id}`);
  await expect(quantity(page)).toHaveValue(String(part.minimumOrder));
  return person;
}

test('a customer orders a part: stock is taken, the form is cleared, and My Orders shows it unpaid', {
  tag: '@phone',
}, async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await openPurchase(page, part);
  await expect(page.getByRole('heading', { level: 1, name: part.name })).toBeVisible();
  const sheet = page.getByRole('article');
  await expect(sheet).toContainText('Price Per Unit$64.50');
  await expect(sheet).toContainText('Quantity24,800');
  await expect(sheet).toContainText('Minimum Order Quantity50');
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
  await expect(page.getByLabel('Name')).not.toBeEditable();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await fillDelivery(page);
  await quantity(page).fill('120');
  await expect(total(page)).toHaveText('$7,740.00');
  const sent = page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/order'));
  await purchase(page).click();
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
  await expect(page.getByRole('link', { name: 'Pay now' })).toHaveAttribute(
    'href',
    /^\/dashboard\/payment\/[-0-9a-f]{36}$/,
  );
  await expect(sheet).toContainText('Quantity24,680');
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
});

test("below the minimum 'Please order minimum 50' appears and Purchase is disabled, above the stock 'maximum order range 24800'", async ({
  page,
  request,
}) => {
  await openPurchase(page, await addProduct(request, { price: 4.5 }));
  await quantity(page).fill('49');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await expect(quantity(page)).toHaveAccessibleDescription(/^Please order minimum 50/);
  await quantity(page).fill('24801');
  await expect(page.getByText('maximum order range 24800')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await quantity(page).fill('');
  await expect(page.getByText('Quantity is Required')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await quantity(page).fill('24800');
  await expect(quantity(page)).toHaveAttribute('aria-invalid', 'false');
  await expect(purchase(page)).toBeEnabled();
});

test("a total above the card provider's limit says 'Amount must be no more than $999,999.99'", async ({
  page,
  request,
}) => {
  await openPurchase(page, await addProduct(request, { price: 100 }));
  await quantity(page).fill('10000');
  await expect(page.getByText('Amount must be no more than $999,999.99')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await quantity(page).fill('9999');
  await expect(purchase(page)).toBeEnabled();
});

test('minus and plus step by 1 and never below 0, and the wheel changes nothing', async ({
  page,
  request,
}) => {
  await openPurchase(page, await addProduct(request));
  const plus = page.getByRole('button', { name: 'Increase quantity by 1' });
  const minus = page.getByRole('button', { name: 'Decrease quantity by 1' });
  await plus.click();
  await expect(quantity(page)).toHaveValue('51');
  await minus.click();
  await minus.click();
  await expect(quantity(page)).toHaveValue('49');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  await quantity(page).fill('1');
  await minus.click();
  await minus.click();
  await expect(quantity(page)).toHaveValue('0');
  await quantity(page).fill('60');
  await quantity(page).hover();
  await page.mouse.wheel(0, 120);
  await expect(quantity(page)).toHaveValue('60');
  await expect(quantity(page)).toHaveAttribute('min', '0');
});

test('the form keeps its height when the quantity message comes', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  await openPurchase(page, await addProduct(request));
  const form = page.getByRole('region', { name: 'Your order' });
  const before = await form.boundingBox();
  await quantity(page).fill('49');
  await expect(page.getByText('Please order minimum 50')).toBeVisible();
  expect((await form.boundingBox())?.height).toBe(before?.height);
});

test('address and phone are required, and the focus goes to the first wrong field', async ({
  page,
  request,
}) => {
  await openPurchase(page, await addProduct(request));
  await purchase(page).click();
  await expect(page.getByText('Address is Required')).toBeVisible();
  await expect(page.getByText('phone is Required')).toBeVisible();
  await expect(page.getByLabel('Address')).toBeFocused();
  await page.getByLabel('Address').fill('12 Oxford Street');
  await page.getByLabel('phone').fill('123');
  await purchase(page).click();
  await expect(page.getByText('Must be 5 to 20 digits')).toBeVisible();
  await expect(page.getByLabel('phone')).toBeFocused();
});

test('pressing Purchase twice places one order', async ({ page, request }) => {
  const part = await addProduct(request);
  await openPurchase(page, part);
  await fillDelivery(page);
  await purchase(page).dblclick();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  expect(await readStock(request, part._id)).toBe(24_750);
});

test('an order whose answer was lost is sent again with the same key and placed once', async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  await openPurchase(page, part);
  await fillDelivery(page);
  const keys: (string | null)[] = [];
  await page.route('**/order', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(await route.request().headerValue('idempotency-key'));
    if (keys.length > 1) return route.fallback();
    // It arrives and is placed; only the answer is lost.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await purchase(page).click();
  await expect(page.getByRole('alert')).toContainText('No answer came.');
  await expect(page.getByLabel('Address')).toHaveValue('12 Oxford Street, Osu\nAccra, Ghana');
  await purchase(page).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  expect(await readStock(request, part._id)).toBe(24_750);
});

test('stock that others took while one was typing is shown, and nothing is lost', async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  await keepPageUntold(page);
  await openPurchase(page, part);
  await fillDelivery(page);
  await quantity(page).fill('1000');
  await restock(request, part._id, 700);
  await purchase(page).click();
  await expect(page.getByText('maximum order range 700')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The stock changed while you were typing.');
  await expect(page.getByRole('article')).toContainText('Quantity700');
  await expect(purchase(page)).toBeDisabled();
  await expect(quantity(page)).toBeFocused();
  await expect(page.getByLabel('phone')).toHaveValue('233302771204');
  await quantity(page).fill('700');
  await purchase(page).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  expect(await readStock(request, part._id)).toBe(0);
});

test('a price that changed is shown with the new total, and Purchase is pressed again', async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  // The page still shows an old price; the shop's own answer to the order is the real one.
  await page.route(`**/product/${part._id}`, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, price: 60 } } });
  });
  await openPurchase(page, part);
  await expect(total(page)).toHaveText('$3,000.00');
  await fillDelivery(page);
  await page.unroute(`**/product/${part._id}`);
  await purchase(page).click();
  await expect(page.getByRole('alert')).toContainText('It is now $64.50 per unit, $3,225.00 in total.');
  await expect(page.getByRole('alert')).toBeInViewport();
  await expect(total(page)).toHaveText('$3,225.00');
  await expect(page.getByRole('article')).toContainText('$64.50');
  await expect(page.getByLabel('phone')).toHaveValue('233302771204');
  await expectAccessible(page);
  await purchase(page).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a part that was deleted while one was typing says so, with a way on', async ({ page, request }) => {
  const part = await addProduct(request);
  await keepPageUntold(page);
  await openPurchase(page, part);
  await fillDelivery(page);
  const headers = authorize(await getAccessToken(request, administrator));
  await request.delete(`/product/${part._id}`, { headers });
  await purchase(page).click();
  await expect(page.getByRole('alert')).toContainText('This part is not sold any more.');
  await expect(page.getByRole('alert')).toBeInViewport();
  await expect(page.getByLabel('phone')).toHaveValue('233302771204');
  await page.getByRole('alert').getByRole('link', { name: 'See All Parts' }).click();
  await expect(page).toHaveURL('/all-products');
});

test('a busy shop names the seconds to wait, and the button counts them down', async ({ page, request }) => {
  const part = await addProduct(request);
  await openPurchase(page, part);
  await fillDelivery(page);
  await page.route(
    '**/order',
    (route) => refuseRequest(route, 503, 'overloaded', { title: 'The shop is busy', retryAfter: 2 }),
    { times: 1 },
  );
  await purchase(page).click();
  await expect(page.getByRole('alert')).toContainText('Try again in 2 seconds');
  await expect(page.getByRole('button', { name: /^Purchase in \d s$/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Purchase', exact: true })).toBeVisible();
  await purchase(page).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
});

test('a session that ends while one is typing leads to /login and back to what was typed', async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  const person = await openPurchase(page, part);
  await fillDelivery(page);
  await quantity(page).fill('75');
  await expireSession(page);
  await purchase(page).click();
  await expect(page).toHaveURL(`/login?from=${encodeURIComponent(`/purchase/${part._id}`)}`);
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  await submitLogin(page, person);
  await expect(quantity(page)).toHaveValue('75');
  await expect(page.getByLabel('Address')).toHaveValue('12 Oxford Street, Osu\nAccra, Ghana');
  await expect(page.getByLabel('phone')).toHaveValue('233302771204');
});

test('without a connection nothing can be ordered, and the page says why', async ({
  page,
  context,
  request,
}) => {
  await openPurchase(page, await addProduct(request));
  await fillDelivery(page);
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await context.setOffline(false);
  await expect(purchase(page)).toBeEnabled();
});

test('a part with less stock than its minimum order is out of stock', async ({ page, request }) => {
  await openPurchase(page, await addProduct(request, { quantity: 40 }));
  await expect(page.getByText('Out of stock')).toBeVisible();
  await expect(purchase(page)).toBeDisabled();
  await expect(quantity(page)).toBeDisabled();
  await expectAccessible(page);
});

test('an unknown part is the not-found page', async ({ page, request }) => {
  await signIn(page, await register(request), '/purchase/01a1fe55-4eaf-7194-bacc-000000000000');
  await expect(page.getByRole('link', { name: 'Take Me Home' })).toBeVisible();
});

test("an administrator sees the form disabled with 'Administrators cannot place orders.'", async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  await signIn(page, administrator, `/purchase/${part._id}`);
  await expect(page.getByText('Administrators cannot place orders.')).toBeVisible();
  for (const field of ['Address', 'phone', 'Purchase Quantity']) {
    await expect(page.getByLabel(field)).toBeDisabled();
  }
  await expect(purchase(page)).toBeDisabled();
  await expectAccessible(page);
});

test('while the part is loading a skeleton stands in its place', async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, await register(request), '/all-products');
  const release = await holdRequests(page, `**/product/${part._id}`);
  await page.goto(`/purchase/${part._id}`);
  await expect(page.getByText('The part is loading.')).toBeAttached();
  await expectAccessible(page);
  release();
  await expect(quantity(page)).toHaveValue('50');
});

for (const theme of themes) {
  test(
    `the purchase page is accessible in the ${theme} theme, with and without messages`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      await storeTheme(page, theme);
      await openPurchase(page, await addProduct(request));
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await purchase(page).click();
      await expect(page.getByText('phone is Required')).toBeVisible();
      await quantity(page).fill('49');
      await expect(page.getByText('Please order minimum 50')).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  );
}
