import { expect, type Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { test } from './google-shop.ts';
import { createPerson, readAccessToken, submitLogin } from './people.ts';

// One shop for all of them.
test.describe.configure({ mode: 'default' });

const account = (page: Page) => page.getByRole('button', { name: 'Amara' });
const google = (page: Page) => page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' });

/** Presses the button; the window is at the provider's form. */
async function openGoogle(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()]);
  await popup.getByPlaceholder('Enter any login').waitFor();
  return popup;
}

/** By the menu of the home page, where a sign-in without a place to return to leads. */
async function signOut(page: Page): Promise<void> {
  await expect(page).toHaveURL('/');
  await account(page).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(account(page)).toHaveCount(0);
}

/** Signs in with the provider's form. @param isNew the provider asks whether the shop may know who one is */
async function signInAtGoogle(popup: Page, email: string, isNew = true): Promise<void> {
  const closed = popup.waitForEvent('close');
  await popup.getByPlaceholder('Enter any login').fill(email);
  await popup.getByPlaceholder('and password').fill('any password');
  await popup.getByRole('button', { name: 'Sign-in' }).click();
  if (isNew) await popup.getByRole('button', { name: 'Continue' }).click();
  await closed;
}

const newAddress = () => createPerson().email;

test('somebody new is signed in, known by the name that Google has, and back where they came from', async ({
  page,
}) => {
  await page.goto('/login?from=%2Fdashboard%2Fmy-profile');
  await signInAtGoogle(await openGoogle(page), newAddress());
  await expect(page).toHaveURL('/dashboard/my-profile');
  await expect(page.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText('Amara at Google');
  expect(await readAccessToken(page)).toMatch(/^[\w-]{43}$/);
});

test('somebody who comes again has the same account, also after a sign-out', async ({ page }) => {
  const email = newAddress();
  await page.goto('/login');
  await signInAtGoogle(await openGoogle(page), email);
  await signOut(page);
  await page.goto('/login');
  await signInAtGoogle(await openGoogle(page), email, false);
  await expect(account(page)).toBeVisible();
});

test('an address that somebody else registered without proof becomes its owner’s, and the password is dead', async ({
  page,
}) => {
  const squatter = createPerson('Mallory');
  await page.goto('/register');
  await page.getByLabel('Name').fill(squatter.name);
  await page.getByLabel('Email').fill(squatter.email);
  await page.getByLabel('Password').fill(squatter.password);
  await page.getByRole('button', { name: 'SIGN UP' }).click();
  await expect(page).toHaveURL('/login');
  await signInAtGoogle(await openGoogle(page), squatter.email);
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard/my-profile');
  await expect(page.getByRole('definition').first()).toHaveText('Amara at Google');
  await page.goto('/');
  await signOut(page);
  await page.goto('/login');
  await submitLogin(page, squatter);
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
});

test('an address that Google has not proven is refused in the red banner', async ({ page }) => {
  await page.goto('/login');
  await signInAtGoogle(await openGoogle(page), `unproven-${newAddress()}`);
  await expect(page.getByRole('alert')).toHaveText('Google has not verified this email address.');
  expect(await readAccessToken(page)).toBeNull();
});

test('whoever changes their mind at Google reads so', async ({ page }) => {
  await page.goto('/login');
  const popup = await openGoogle(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('link', { name: 'Cancel' }).click();
  await closed;
  await expect(page.getByRole('alert')).toHaveText('The sign-in with Google was cancelled.');
});

test('whoever closes the window reads so, and may try again', async ({ page }) => {
  await page.goto('/login');
  await (await openGoogle(page)).close();
  await expect(page.getByRole('alert')).toHaveText(
    'The window of Google was closed before the sign-in was done.',
  );
  await signInAtGoogle(await openGoogle(page), newAddress());
  await expect(account(page)).toBeVisible();
});

test('a window that Google’s pages cut off from the shop looks closed, and its sign-in counts all the same', async ({
  page,
  context,
  googleShop,
}) => {
  await context.route(
    ({ hostname, origin }) => hostname === 'localhost' && origin !== googleShop,
    async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'cross-origin-opener-policy': 'same-origin' },
      });
    },
  );
  await page.goto('/login');
  const popup = await openGoogle(page);
  await expect(page.getByRole('alert')).toContainText('The window of Google was closed');
  await signInAtGoogle(popup, newAddress());
  await expect(account(page)).toBeVisible();
});

test('without a connection the shop says so', async ({ page, context }) => {
  await page.goto('/login');
  await context.setOffline(true);
  await google(page).click();
  await expect(page.getByRole('alert')).toContainText('The shop cannot be reached.');
  expect(context.pages()).toHaveLength(1);
});

test('under a name of the shop that Google does not send back to it is an invalid origin', async ({
  page,
  googleShop,
}) => {
  await page.goto(`${googleShop.replace('localhost', '127.0.0.1')}/login`);
  await google(page).click();
  await expect(page.getByRole('alert')).toHaveText('Invalid origin');
});

test('pages may keep the window that they open', async ({ request }) => {
  for (const path of ['/login', '/auth/popup.html?id=1']) {
    const response = await request.get(path);
    expect(response.headers()['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
    expect(response.headers()['content-security-policy']).toContain("script-src 'self'");
  }
});

for (const theme of themes) {
  test(
    `the page of the window, and the login page after it, are accessible in the ${theme} theme`,
    onPhoneWhenLight(theme),
    async ({ page }) => {
      await storeTheme(page, theme);
      await page.goto('/auth/popup.html?error=failed');
      await expect(page.getByRole('status')).toHaveText(
        'The sign-in with Google has failed. Close this window and go on in the shop.',
      );
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.goto('/login');
      await (await openGoogle(page)).close();
      await expect(page.getByRole('alert')).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  );
}
