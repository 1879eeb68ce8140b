import { expect } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts';
import { holdRequests } from './network.ts';
import { addPartsUpTo } from './products.ts';
import { test } from './silent-test.ts';

test('a pressed link shows that it loads on a slow network', async ({ page }) => {
  await page.goto('/');
  // Hydrated, and no prefetch is left that could answer for the held request.
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/all-products');
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(3);
  const main = page.getByRole('main');
  for (const text of ['100+', '120M+', '33K+', '50+', 'Amara Okafor']) await expect(main).toContainText(text);
  const release = await holdRequests(page, '**/all-products.data*');
  await page.getByRole('link', { name: 'See All Parts' }).click();
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('Loading the page…');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We manufacture the parts you need.');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Products');
  await expect(page.getByRole('banner').getByRole('status')).toBeEmpty();
});

test('parts are searched, filtered and paged, and Back undoes each step', async ({ page, request }) => {
  await addPartsUpTo(request, 44);
  await page.goto('/all-products');
  const cards = page.getByRole('link', { name: 'Order Now' });
  await page.getByRole('searchbox').fill('oled');
  await expect(page).toHaveURL(/q=oled/);
  await expect(cards).toHaveCount(3);
  await page.goBack();
  await expect(page).not.toHaveURL(/q=oled/);
  await expect(cards).toHaveCount(24);
  await page.getByRole('link', { name: 'Load more' }).click();
  await expect(page).toHaveURL(/after=/);
  await expect(cards.nth(40)).toBeVisible();
  await page.reload();
  await expect(cards.nth(40)).toBeVisible();
  await page.goBack();
  await expect(cards).toHaveCount(24);
  await page.goForward();
  await expect(cards.nth(40)).toBeVisible();
});

test('the filters of wide windows work by keyboard alone', async ({ page, isMobile }) => {
  // On phones, a later story opens the sheet instead.
  test.skip(isMobile, 'On phones the filters are in a sheet.');
  await page.goto('/all-products');
  await page.getByRole('link', { name: /^Batteries/ }).press('Enter');
  await expect(page).toHaveURL(/kind=Batteries/);
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Fits phone model' }).press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Phone models' })).toBeVisible();
  await expectAccessible(page);
});

test('the answers of the blog open one at a time', async ({ page }) => {
  await page.goto('/blogs');
  const answers = page.getByRole('main').locator('details');
  await expect(answers).toHaveCount(5);
  for (const [place, question] of [
    /performance/i,
    /manag.*state/i,
    /prototyp/i,
    /state.*direct/i,
    /search.*name/i,
  ].entries()) {
    await expect(answers.nth(place).locator('summary')).toHaveText(question);
  }
  await expect(answers.nth(0)).toHaveAttribute('open');
  await answers.nth(2).locator('summary').click();
  await expect(answers.nth(2)).toHaveAttribute('open');
  await expect(answers.nth(0)).not.toHaveAttribute('open');
  await page.keyboard.press('Enter');
  await expect(answers.nth(2)).not.toHaveAttribute('open');
});

test('phones have the filters in a sheet', { tag: '@only-phone' }, async ({ page }) => {
  await page.goto('/all-products');
  await page.getByRole('button', { name: 'Filter' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filter' });
  await sheet.getByText(/^Batteries/).click();
  await expect(sheet.getByRole('button', { name: 'Show 2 parts' })).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Show 2 parts' }).click();
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(2);
  await expectNoSidewaysScroll(page);
});

test('the sort shows its words at each width of a phone', { tag: '@only-phone' }, async ({ page }) => {
  await page.goto('/all-products');
  for (const width of [320, 375, 430, 600]) {
    await page.setViewportSize({ width, height: 844 });
    expect((await page.getByLabel('Sort').boundingBox())?.width).toBeGreaterThanOrEqual(144);
  }
});

test('the list stays and a search waits without a connection', async ({ page, context }) => {
  await page.goto('/all-products');
  // Scripts that load later could not load offline.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('searchbox').fill('oled');
  await expect(page.getByText('offline').or(page.getByText('connection')).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Order Now' }).nth(23)).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL(/q=oled/);
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(3);
});

test.describe(() => {
  test.use({ javaScriptEnabled: false });

  test('the catalogue is searched and paged without JavaScript', async ({ page, request }) => {
    await addPartsUpTo(request, 44);
    await page.goto('/all-products');
    await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(24);
    await page.getByRole('link', { name: 'Load more' }).click();
    await expect(page).toHaveURL(/after=/);
    await expect(page.getByRole('link', { name: 'Order Now' }).first()).toBeVisible();
    await page.goto('/all-products');
    await page.getByRole('searchbox').fill('lithium');
    await page.getByRole('searchbox').press('Enter');
    await expect(page).toHaveURL(/q=lithium/);
    await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(2);
    const bar = page.getByRole('banner');
    await bar.getByRole('link', { name: 'MyPortfolio' }).filter({ visible: true }).click();
    await expect(page).toHaveURL('/portfolio');
    await bar.getByRole('link', { name: 'Login' }).filter({ visible: true }).click();
    await expect(page.getByText('Signing in and up need JavaScript.')).toBeVisible();
    const [part] = await (await request.get('/product?q=OLED%20display%20assembly%206.1&limit=1')).json();
    await page.goto(`/products/${part._id}`);
    await expect(page.getByRole('table')).toContainText('from 5,000');
    await expect(page.getByRole('link', { name: 'Order Now' }).first()).toHaveAttribute(
      'href',
      `/purchase/${part._id}?quantity=50`,
    );
    await expectNoSidewaysScroll(page);
  });
});

test('a call of the shop is read and tried on /docs', { tag: '@full' }, async ({ page, request }) => {
  const { paths, webhooks } = await (await request.get('/openapi.json')).json();
  const calls = [paths, webhooks].flatMap(Object.values<object>).flatMap((call) => Object.keys(call));
  await page.goto('/docs');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Parts Forge');
  await expect(page.locator('.opblock')).toHaveCount(calls.length);
  const list = page.locator('#operations-Products-getProduct');
  await list.locator('.opblock-summary').click();
  await list.getByRole('button', { name: 'Try it out' }).click();
  await list.getByPlaceholder('limit').fill('3');
  await list.getByRole('button', { name: 'Execute' }).click();
  await expect(list.locator('.live-responses-table')).toContainText('minimumOrder');
  await expect(list.locator('.live-responses-table .response-col_status').last()).toHaveText('200');
});

test('the description of the calls is accessible', { tag: '@full' }, async ({ page }) => {
  await page.goto('/docs');
  await page.locator('#operations-Products-getProduct .opblock-summary').click();
  await expect(
    page.locator('#operations-Products-getProduct').getByRole('button', { name: 'Try it out' }),
  ).toBeVisible();
  await expectAccessible(page);
});
