import { expect, type Request } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { holdRequests } from './network.ts';
import { addPartsUpTo } from './products.ts';
import { test } from './silent-test.ts';

const pages = [
  ['/', 'We manufacture the parts you need.'],
  ['/blogs', /./],
  ['/portfolio', /./],
  ['/all-products', 'All Products'],
  ['/login', /Login/i],
  ['/register', /Sign Up/i],
  ['/nothing-here', /./],
] as const;

for (const theme of themes) {
  for (const [path, heading] of pages) {
    test(
      `a visitor sees ${path} in the ${theme} theme, with nothing for axe to find`,
      onPhoneWhenLight(theme),
      async ({ page }) => {
        await storeTheme(page, theme);
        await page.goto(path);
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
        await expect(page.getByRole('contentinfo')).toContainText('Facebook');
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      },
    );
  }
}

test('the home page shows banner, three featured parts, counters and recent reviews', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/all-products');
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(3);
  const main = page.getByRole('main');
  for (const counter of ['100+', '120M+', '33K+', '50+']) await expect(main).toContainText(counter);
  await expect(main).toContainText('Amara Okafor');
  await page.getByRole('link', { name: 'See All Parts' }).click();
  await expect(page).toHaveURL('/all-products');
  await expect(page.getByRole('heading', { level: 1, name: 'All Products' })).toBeVisible();
});

test('the newsletter and contact boxes send nothing, and say so', async ({ page }) => {
  await page.goto('/');
  const boxes = page.getByRole('region', { name: 'Newsletter and contact' });
  const requests: Request[] = [];
  page.on('request', (each) => requests.push(each));
  await boxes.getByLabel('Email').first().fill('buyer@repair.example');
  await boxes.getByRole('button', { name: 'Subscribe' }).click();
  await boxes.getByLabel('Email').last().fill('buyer@repair.example');
  await boxes.getByLabel('Message').fill('A part that is not in the list.');
  await boxes.getByRole('button', { name: 'Send' }).click();
  await expect(boxes.getByLabel('Message')).toHaveValue('A part that is not in the list.');
  await expect(boxes.getByText('Nothing was sent: this form is not connected.')).toHaveCount(2);
  await expect(page).toHaveURL('/');
  // The page itself may still read pictures and counts.
  const isSent = (each: Request) => each.method() !== 'GET' || /buyer|not(%20|\+)in/i.test(each.url());
  expect(requests.filter(isSent).map((each) => each.url())).toEqual([]);
});

test('five answers open and close, one at a time, by keyboard too', async ({ page }) => {
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

test('the portfolio shows name, email, education, skills and three projects', async ({ page }) => {
  await page.goto('/portfolio');
  const card = page.getByRole('article');
  await expect(card.getByRole('heading', { level: 1 })).toHaveText('Nadia Brandt');
  await expect(card.getByRole('link', { name: 'nadia@partsforge.example' })).toHaveAttribute(
    'href',
    'mailto:nadia@partsforge.example',
  );
  for (const part of ['Education', 'Skills', 'Projects']) await expect(card).toContainText(part);
  const projects = card.getByRole('definition').last().getByRole('link');
  await expect(projects).toHaveCount(3);
  for (const project of await projects.all()) {
    expect((await page.request.get(String(await project.getAttribute('href')))).status()).toBe(200);
  }
});

test('a product card cuts the description to 90 characters followed by an ellipsis', async ({
  page,
  request,
}) => {
  const [product] = await (await request.get('/product?q=OLED&limit=1')).json();
  await page.goto('/all-products?q=OLED');
  const card = page.getByRole('listitem').filter({ hasText: product.name }).first();
  await expect(card).toContainText(`${product.description.slice(0, 90)}…`);
  await expect(card).not.toContainText(product.description.slice(0, 92));
  await expect(card.getByRole('link', { name: 'Order Now' })).toHaveAttribute(
    'href',
    `/purchase/${product._id}`,
  );
});

test('parts are searched as one types, sorted and filtered, all of it in the address', {
  tag: '@phone',
}, async ({ page }) => {
  await page.goto('/all-products');
  await page.getByRole('searchbox').fill('oled');
  await expect(page).toHaveURL(/q=oled/);
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(3);
  await page.goBack();
  await expect(page).not.toHaveURL(/q=oled/);
  await page.goto('/all-products?q=oled&sort=price');
  await expect(page.getByRole('searchbox')).toHaveValue('oled');
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('6.5 inch');
});

test('the next page is added to the list, stays after a reload, and Back takes it away again', async ({
  page,
  request,
}) => {
  await addPartsUpTo(request, 44);
  await page.goto('/all-products');
  const cards = page.getByRole('link', { name: 'Order Now' });
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

test('parts are filtered by kind and model by keyboard alone, with nothing for axe to find', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'On phones the filters are in a sheet.');
  await page.goto('/all-products');
  await page.getByRole('link', { name: /^Batteries/ }).press('Enter');
  await expect(page).toHaveURL(/kind=Batteries/);
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Fits phone model' }).press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Phone models' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Fits phone model' }).press('Escape');
  await page.getByRole('searchbox').fill('batery');
  await expect(page.getByText('These have similar names or phone models.')).toBeVisible();
});

test('on phones the filters are in a sheet, with nothing for axe to find', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, 'Wider windows have them in the bar.');
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

test('on a slow network a pressed link shows that the next page is coming', async ({ page }) => {
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  const release = await holdRequests(page, '**/all-products.data*');
  await page.getByRole('link', { name: 'See All Parts' }).click();
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('Loading the page…');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We manufacture the parts you need.');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Products');
  await expect(page.getByRole('banner').getByRole('status')).toBeEmpty();
});

test('when the server does not answer a search, the bar stays and it can be tried again', async ({
  page,
  request,
}) => {
  await addPartsUpTo(request, 44);
  await page.goto('/all-products');
  await page.waitForLoadState('networkidle');
  await page.route('**/all-products.data*', (route) => route.abort());
  await page.getByRole('searchbox').fill('oled');
  await expect(page.getByText('The parts could not be loaded')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('oled');
  await page.unroute('**/all-products.data*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(3);
  await page.goto('/all-products');
  await page.route('**/all-products.data*', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('link', { name: 'Load more' }).click();
  await expect(page.getByText('The parts could not be loaded')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(24);
});

test('a search that finds nothing says so and can be cleared', async ({ page }) => {
  await page.goto('/all-products?q=nothing%20like%20this');
  await expect(page.getByText('No part matches “nothing like this”')).toBeVisible();
  await expect(page.getByText('0 parts')).toBeVisible();
  await page.getByRole('link', { name: 'Clear search' }).click();
  await expect(page).toHaveURL('/all-products');
  await expect(page.getByRole('searchbox')).toHaveValue('');
});

test('without a connection the list stays, and the search comes when it is back', async ({
  page,
  context,
}) => {
  await page.goto('/all-products');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('searchbox').fill('oled');
  await expect(page.getByText('offline').or(page.getByText('connection')).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Order Now' }).nth(23)).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL(/q=oled/);
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveCount(3);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the catalogue is read, searched, filtered and paged', async ({ page, request }) => {
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
  });
});

test('the theme is light at first, is toggled and stays', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');
});

test('the calls of the shop are read and tried on /docs', async ({ page, request }) => {
  const { paths } = await (await request.get('/openapi.json')).json();
  const calls = Object.values<object>(paths).flatMap((call) => Object.keys(call));
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
  await expectAccessible(page);
});

test("the not-found page has status 404, a picture and a 'Take Me Home' link", async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('main').getByRole('img').first()).toBeVisible();
  await page.getByRole('link', { name: 'Take Me Home' }).click();
  await expect(page).toHaveURL('/');
});
