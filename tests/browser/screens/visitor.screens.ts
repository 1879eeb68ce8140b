import { answerRequests, holdRequests } from '../network.ts';
import { createPerson } from '../people.ts';
import { findProduct, test } from './screen.ts';

test('pictures public pages', async ({ page, take, isMobile }) => {
  for (const [path, name] of [
    ['/', 'landing'],
    ['/blogs', 'blogs'],
    ['/portfolio', 'portfolio'],
    ['/all-products', 'all-products'],
    ['/all-products?kind=Batteries', 'all-products-faceted'],
    ['/all-products?q=periscope', 'all-products-empty'],
    ['/no/such/page', 'not-found'],
  ] as const) {
    await page.goto(path);
    await take(name);
  }
  await page.goto('/all-products');
  if (isMobile) {
    await page.getByRole('button', { name: 'Filter' }).click();
    await take('all-products-filters', false);
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await take('landing-nav-open', false);
  } else {
    await page.getByRole('combobox', { name: 'Fits phone model' }).press('ArrowDown');
    await take('all-products-fits', false);
  }
});

test('pictures a part, a near price break and one out of stock', async ({ page, request, take }) => {
  const part = await findProduct(request, 'OLED display assembly 6.1 inch');
  await page.goto(`/products/${part._id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Quantity', { exact: true }).fill('475');
  await take('part');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await page.getByText('pieces added to the batch.').waitFor();
  await take('part-added', false);
  await page.route('**/live?*', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: `event: product\ndata: ${JSON.stringify({ ...part, quantity: 40 })}\n\n`,
    }),
  );
  await page.goto(`/products/${part._id}`);
  await page.getByText('Out of stock').waitFor();
  await take('part-out-of-stock');
});

test('pictures the home page while it loads', async ({ page, take, isMobile }) => {
  await page.goto('/blogs');
  await holdRequests(page, '**/_.data*');
  if (isMobile) await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('list', { name: 'Reviews are loading' }).waitFor();
  await take('landing-loading');
});

test('pictures the list of parts while loading and after failing', async ({ page, take }) => {
  const listAddress = '**/all-products.data*';
  await page.goto('/all-products');
  const release = await holdRequests(page, listAddress);
  await page.getByLabel('Sort').selectOption('Name, A to Z');
  await page.getByRole('list', { name: 'Parts are loading' }).waitFor();
  await take('all-products-loading');
  release();
  await answerRequests(page, listAddress, {}, { status: 503 });
  await page.getByLabel('Sort').selectOption('Price, low to high');
  await page.getByText('The parts could not be loaded').waitFor();
  await take('all-products-error');
});

test('pictures login', async ({ page, take }) => {
  const login = page.getByRole('button', { name: 'Login', exact: true });
  await page.goto('/login');
  await take('login');
  await page.getByLabel('Email').fill('amara@fieldrepair');
  await login.click();
  await page.getByText('Password is Required').waitFor();
  await take('login-field-errors');
  await page.getByLabel('Email').fill('nobody@fieldrepair.example');
  await page.getByLabel('Password').fill('not the one');
  await login.click();
  await page.getByRole('alert').waitFor();
  await take('login-error');
  await holdRequests(page, '**/identity/sign-in/email');
  await login.click();
  await page.getByRole('button', { name: 'Signing in…' }).waitFor();
  await take('login-busy');
});

test('pictures sign-up', async ({ page, take }) => {
  const { name, email, password } = createPerson();
  const signUp = page.getByRole('button', { name: 'SIGN UP' });
  await page.goto('/register');
  await take('register');
  await page.getByLabel('Email').fill('amara');
  await page.getByLabel('Password').fill('abc');
  await signUp.click();
  await page.getByText('Name is Required').waitFor();
  await take('register-errors');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await signUp.click();
  await page.getByText('Registration Successful. Please Login !').waitFor();
  await take('login-after-registration');
});
