import { expect, type Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { holdRequests } from './network.ts';
import { authorize, createPerson, readAccessToken, register, signIn, submitLogin } from './people.ts';
import { test } from './silent-test.ts';

const email = (page: Page) => page.getByLabel('Email');
const password = (page: Page) => page.getByLabel('Password');
const login = (page: Page) => page.getByRole('button', { name: 'Login', exact: true });
const account = (page: Page) => page.getByRole('button', { name: 'Amara' });

test("a visitor registers, reads 'Registration Successful. Please Login !', is signed out and signs in", {
  tag: '@phone',
}, async ({ page }) => {
  const person = createPerson();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(person.name);
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

test('the sign-up form says under each field what is wrong, when it is left and then with every change', async ({
  page,
}) => {
  await page.goto('/register');
  await page.getByLabel('Name').click();
  await email(page).click();
  await expect(page.getByText('Name is Required')).toBeVisible();
  await email(page).fill('amara');
  await expect(page.getByText('Valid Email is needed')).toHaveCount(0);
  await password(page).click();
  await expect(page.getByText('Valid Email is needed')).toBeVisible();
  await email(page).fill('amara@repair.example');
  await expect(page.getByText('Valid Email is needed')).toHaveCount(0);
  await email(page).fill('');
  await expect(page.getByText('Email is Required')).toBeVisible();
  await password(page).fill('abc');
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page.getByText('Must be 6 characters or longer')).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('Name is Required');
  await expect(page).toHaveURL('/register');
});

test('the login form asks for email and password and puts the focus on the first wrong field', async ({
  page,
}) => {
  await page.goto('/login');
  await login(page).click();
  await expect(page.getByText('Email is Required')).toBeVisible();
  await expect(page.getByText('Password is Required')).toBeVisible();
  await expect(email(page)).toBeFocused();
  await email(page).fill('amara@repair');
  await expect(page.getByText('Valid Email is needed')).toBeVisible();
  await email(page).fill('amara@repair.example');
  await login(page).click();
  await expect(password(page)).toBeFocused();
});

test("the browser's own autofill knows the fields of both forms, and they lead to each other", async ({
  page,
}) => {
  await page.goto('/login');
  await expect(page.getByRole('main').getByText('OR', { exact: true })).toBeVisible();
  await expect(email(page)).toHaveAttribute('autocomplete', /^(email|username)$/);
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page).toHaveURL('/register');
  await expect(page.getByLabel('Name')).toHaveAttribute('autocomplete', 'name');
  await expect(email(page)).toHaveAttribute('autocomplete', /^(email|username)$/);
  await expect(password(page)).toHaveAttribute('autocomplete', 'new-password');
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/login');
});

test('a button that is pressed while a field is left with a mistake is pressed all the same', async ({
  page,
}) => {
  await page.goto('/register');
  await page.getByLabel('Name').fill('Amara');
  await email(page).click();
  // The message under Email would push the link away from under the pointer.
  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/login');
});

test("a failed login shows the identity service's message in a red banner and keeps what was typed", async ({
  page,
  request,
}) => {
  const person = await register(request);
  await page.goto('/login');
  await email(page).fill(person.email);
  await password(page).fill('not the one');
  await login(page).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
  await expect(email(page)).toHaveValue(person.email);
  await expect(password(page)).toHaveValue('not the one');
  await password(page).fill(person.password);
  await login(page).click();
  await expect(page).toHaveURL('/');
});

test("registering an address twice shows the identity service's message", async ({ page, request }) => {
  const person = await register(request);
  await page.goto('/register');
  await page.getByLabel('Name').fill(person.name);
  await email(page).fill(person.email);
  await password(page).fill(person.password);
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page.getByRole('alert')).toHaveText('User already exists. Use another email.');
  await expect(page.getByLabel('Name')).toHaveValue(person.name);
});

test("CONTINUE WITH GOOGLE says 'Google sign-in is not set up on this shop.'", async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' }).click();
  await expect(page.getByRole('alert')).toHaveText('Google sign-in is not set up on this shop.');
});

test('without a connection the login form says so and keeps what was typed', async ({ page, context }) => {
  await page.goto('/login');
  await email(page).fill('amara@repair.example');
  await password(page).fill('secret 1');
  await context.setOffline(true);
  await login(page).click();
  await expect(page.getByRole('alert')).toContainText('The shop cannot be reached.');
  await expect(email(page)).toHaveValue('amara@repair.example');
});

test('a form that is sent before the page is alive is sent when it is', async ({ page, request }) => {
  const person = await register(request);
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto('/login', { waitUntil: 'commit' });
  await submitLogin(page, person);
  await expect(page).toHaveURL('/login');
  release();
  await expect(page).toHaveURL('/');
  await expect(account(page)).toBeVisible();
});

test('the account menu has the first word of the display name, Dashboard and Logout, and works by keyboard', {
  tag: '@phone',
}, async ({ page, request }) => {
  await signIn(page, await register(request));
  await account(page).focus();
  await page.keyboard.press('Enter');
  await expect(account(page)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(account(page)).toBeFocused();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await account(page).click();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.mouse.click(4, 600);
  await expect(account(page)).toHaveAttribute('aria-expanded', 'false');
  await account(page).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard/my-profile');
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeFocused();
});

test('the bar does not move when the session becomes known', { tag: '@phone' }, async ({ page, request }) => {
  await signIn(page, await register(request));
  const release = await holdRequests(page, '**/identity/get-session');
  await page.goto('/');
  const toggle = page.getByRole('button', { name: 'Dark theme' });
  const before = await toggle.boundingBox();
  await expect(page.getByRole('link', { name: 'Login' })).toHaveCount(0);
  release();
  await expect(account(page)).toBeVisible();
  expect(await toggle.boundingBox()).toEqual(before);
});

test('Logout signs out, removes the access token and ends it, in every tab', async ({
  page,
  context,
  request,
}) => {
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

test('an access token that has run out is renewed once for all calls, without a word', async ({
  page,
  request,
}) => {
  await signIn(page, await register(request));
  await page.evaluate(() => localStorage.setItem('accessToken', 'a-token-that-has-run-out'));
  const renewals: string[] = [];
  page.on('request', (each) => {
    if (each.url().endsWith('/identity/token') || each.method() === 'PUT') renewals.push(each.method());
  });
  await page.goto('/dashboard/my-orders');
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See All Parts' })).toBeVisible();
  expect(renewals).toEqual(['GET', 'PUT']);
  expect(await readAccessToken(page)).not.toBe('a-token-that-has-run-out');
});

for (const theme of themes) {
  test(
    `login and sign-up with all their messages are accessible in the ${theme} theme`,
    onPhoneWhenLight(theme),
    async ({ page }) => {
      await storeTheme(page, theme);
      await page.goto('/login');
      await login(page).click();
      await expect(page.getByText('Password is Required')).toBeVisible();
      await page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.goto('/register');
      await page.getByRole('button', { name: 'SIGN UP' }).click();
      await expect(page.getByText('Name is Required')).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  );
}
