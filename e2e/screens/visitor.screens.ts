import type { Page } from '@playwright/test';
import { hold } from '../calls.ts';
import { aPerson } from '../people.ts';
import { test } from './screen.ts';

test('public pages', async ({ page, take, isMobile }) => {
  for (const [path, name] of [
    ['/', 'landing'],
    ['/blogs', 'blogs'],
    ['/portfolio', 'portfolio'],
    ['/all-products', 'all-products'],
    ['/all-products?q=periscope', 'all-products-empty'],
    ['/no/such/page', 'not-found'],
  ] as const) {
    await page.goto(path);
    await take(name);
  }
  if (isMobile) {
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).click();
    await take('landing-nav-open', false);
  }
});

test('the home page while its parts and reviews are loading', async ({ page, take, isMobile }) => {
  await page.goto('/blogs');
  await hold(page, '**/_.data*');
  if (isMobile) await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('list', { name: 'Reviews are loading' }).waitFor();
  await take('landing-loading');
});

test('the list of parts while it is loading and when it cannot be loaded', async ({ page, take }) => {
  const listed = '**/all-products.data*';
  await page.goto('/all-products');
  const arrive = await hold(page, listed);
  await page.getByLabel('Sort').selectOption('Name, A to Z');
  await page.getByRole('list', { name: 'Parts are loading' }).waitFor();
  await take('all-products-loading');
  arrive();
  await withoutPage(page, listed);
  await page.getByLabel('Sort').selectOption('Price, low to high');
  await page.getByText('The parts could not be loaded').waitFor();
  await take('all-products-error');
});

/** The answer to the page's loader with `page: null`, which is what it says when the shop's own call failed. */
async function withoutPage(page: Page, address: string): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    // The router's format: one flat list; objects name their keys and values by place, null is -5.
    const values = JSON.parse(await response.text());
    const key = `_${values.indexOf('page')}`;
    for (const value of values) if (value?.[key] !== undefined) value[key] = -5;
    await route.fulfill({ response, body: JSON.stringify(values) });
  });
}

test('login', async ({ page, take }) => {
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
  await hold(page, '**/identity/sign-in/email');
  await login.click();
  await page.getByRole('button', { name: 'Signing in…' }).waitFor();
  await take('login-busy');
});

test('sign-up', async ({ page, take }) => {
  const { name, email, password } = aPerson();
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
