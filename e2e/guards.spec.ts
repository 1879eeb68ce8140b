import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { holdRequests, refuseRequest } from './network.ts';
import { administrator, expireSession, readAccessToken, register, signIn, submitLogin } from './people.ts';
import { test } from './silent-test.ts';

test('a guarded page leads an unauthenticated visitor to /login and back afterwards', async ({
  page,
  request,
}) => {
  const person = await register(request);
  const [part] = await (await request.get('/product?limit=1')).json();
  await page.goto('/all-products');
  await page.getByRole('link', { name: 'Order Now' }).first().click();
  await expect(page).toHaveURL(/\/login\?from=%2Fpurchase%2F/);
  await expect(page.getByText("Log in to order this part. We'll bring you back.")).toBeVisible();
  await page.goto(`/purchase/${part._id}`);
  await expect(page).toHaveURL(`/login?from=${encodeURIComponent(`/purchase/${part._id}`)}`);
  await expect(page.getByText('Your session has ended.')).toHaveCount(0);
  await submitLogin(page, person);
  await expect(page).toHaveURL(`/purchase/${part._id}`);
  await expect(page.getByRole('heading', { level: 1, name: part.name })).toBeVisible();
});

test('only a path of this shop is followed after sign-in', async ({ page, request }) => {
  const person = await register(request);
  await page.goto(`/login?from=${encodeURIComponent('/\\evil.example')}`);
  await submitLogin(page, person);
  await expect(page).toHaveURL('/');
});

test('while the authentication state resolves a loading button is shown', async ({ page, request }) => {
  await signIn(page, await register(request));
  const release = await holdRequests(page, '**/identity/get-session');
  await page.goto('/dashboard/my-profile');
  const button = page.getByRole('button', { name: 'loading' });
  await expect(button).toBeVisible();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expectAccessible(page);
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
});

test('an answer about the session that was cut off on its way signs nobody out', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  await page.route('**/identity/get-session', (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{"user":' }),
  );
  await page.goto('/dashboard/my-profile');
  await expect(page.getByRole('heading', { name: 'The shop cannot be reached' })).toBeVisible();
  expect(await readAccessToken(page)).not.toBeNull();
  await page.unroute('**/identity/get-session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
});

test('a session that has ended leads to /login with a line of information, and back', async ({
  page,
  context,
  request,
}) => {
  const person = await register(request);
  await signIn(page, person);
  // A page of the shop that is open could find the session gone before the one that this is about.
  await page.goto('/robots.txt');
  await context.clearCookies();
  await page.goto('/dashboard/my-orders');
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2Fmy-orders');
  const line = page.getByText('Your session has ended. Log in again to continue where you left off.');
  await expect(line).toBeVisible();
  expect(await readAccessToken(page)).toBeNull();
  await expectAccessible(page);
  await submitLogin(page, person);
  await expect(page).toHaveURL('/dashboard/my-orders');
});

test('a session that has ended leads from an administrator page to /login, not to /', async ({ page }) => {
  await signIn(page, administrator);
  await expireSession(page);
  await page.goto('/dashboard/manage-orders');
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2Fmanage-orders');
  await expect(page.getByText('Need Admin to access the page')).toHaveCount(0);
});

test('when the identity service does not answer, a guarded page says so and can be tried again', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  await page.route('**/identity/get-session', (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/dashboard/my-profile');
  await expect(page.getByRole('heading', { name: 'Something went wrong on our side' })).toBeVisible();
  await page.unroute('**/identity/get-session');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
});

test("a user on an administrator's page is led to / with 'Need Admin to access the page'", async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  for (const child of [
    'overview',
    'manage-orders',
    'manage-users',
    'customers/somebody%40shop.example',
    'add-product',
    'manage-products',
    'manage-products/x',
    'manage-products/x/stock',
    'restock-csv',
    'activity',
  ]) {
    await page.goto(`/dashboard/${child}`);
    await expect(page).toHaveURL('/');
    await expect(page.getByText('Need Admin to access the page')).toBeVisible();
  }
});

test("an administrator whose role is taken away is led to / with 'Need Admin to access the page'", async ({
  page,
}) => {
  await signIn(page, administrator, '/dashboard/my-profile');
  await page.route('**/user?*', (route) =>
    refuseRequest(route, 403, 'admin-needed', { title: 'Need Admin to access the page' }),
  );
  await page.goto('/dashboard/manage-users');
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Need Admin to access the page')).toBeVisible();
});

test("an administrator on a user's page is led to my-profile", async ({ page }) => {
  await signIn(page, administrator);
  for (const child of ['my-orders', 'my-reviews']) {
    await page.goto(`/dashboard/${child}`);
    await expect(page).toHaveURL('/dashboard/my-profile');
  }
});
