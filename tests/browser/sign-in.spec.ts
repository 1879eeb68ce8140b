import { expect, type Page } from '@playwright/test';
import { expectFit } from './accessibility.ts';
import { expectEveryClassStyled } from './class-rules.ts';
import { holdRequests } from './network.ts';
import {
  authorize,
  createPerson,
  getCustomer,
  readAccessToken,
  register,
  signIn,
  submitLogin,
} from './people.ts';
import { test } from './silent-test.ts';

const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password');
const account = (page: Page) => page.getByRole('button', { name: 'Amara' });

test('a visitor registers and signs in', async ({ page }) => {
  const person = createPerson();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(person.name);
  await email(page).click();
  // The message under Email would move the link away from the pointer.
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
  await email(page).fill(person.email);
  await password(page).fill(person.password);
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Registration Successful. Please Login !')).toBeVisible();
  expect(await readAccessToken(page)).toBeNull();
  await submitLogin(page, person);
  await expect(page).toHaveURL('/');
  await expect(account(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Login' })).toHaveCount(0);
  expect(await readAccessToken(page)).not.toBeNull();
  await page.reload();
  await expect(account(page)).toBeVisible();
});

test('a form sent before hydration is sent after it', async ({ page, request }) => {
  const person = await getCustomer(request);
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto('/login', { waitUntil: 'commit' });
  await submitLogin(page, person);
  await expect(page).toHaveURL('/login');
  release();
  await expect(page).toHaveURL('/');
  await expect(account(page)).toBeVisible();
});

test('the account menu works by keyboard', async ({ page, request }) => {
  await signIn(page, await getCustomer(request), '/blogs');
  // A reload leaves only the public pages' style sheet.
  await page.reload();
  await account(page).focus();
  await page.keyboard.press('Enter');
  await expect(account(page)).toHaveAttribute('aria-expanded', 'true');
  const orders = page.getByRole('link', { name: 'My Orders' });
  await expect(orders).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(orders).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(account(page)).toBeFocused();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await account(page).click();
  await expectEveryClassStyled(page);
  await expectFit(page);
  await page.mouse.click(4, 600);
  await expect(account(page)).toHaveAttribute('aria-expanded', 'false');
  await account(page).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard/my-profile');
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeFocused();
});

test('the bar does not move when the session becomes known', async ({ page, request }) => {
  await signIn(page, await getCustomer(request));
  const release = await holdRequests(page, '**/identity/get-session');
  await page.goto('/');
  const toggle = page.getByRole('button', { name: 'Dark theme' });
  const before = await toggle.boundingBox();
  await expect(page.getByRole('link', { name: 'Login' })).toHaveCount(0);
  release();
  await expect(account(page)).toBeVisible();
  expect(await toggle.boundingBox()).toEqual(before);
});

test('Logout ends the session in each tab', async ({ page, context, request }) => {
  await signIn(page, await register(request), '/dashboard/my-profile');
  const token = await readAccessToken(page);
  const other = await context.newPage();
  await other.goto('/');
  await expect(account(other)).toBeVisible();
  await account(page).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your session has ended.')).toHaveCount(0);
  await expect(account(other)).toHaveCount(0);
  expect(await readAccessToken(page)).toBeNull();
  await expect
    .poll(async () => {
      const response = await request.get('/order', { headers: authorize(String(token)) });
      return response.status();
    })
    .toBe(401);
  await page.goto('/dashboard/my-orders');
  await expect(page).toHaveURL(/\/login\?from=%2Fdashboard%2Fmy-orders/);
});
