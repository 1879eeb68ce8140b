import { expect, type Page } from '@playwright/test';
import { expectFit, storeTheme } from './accessibility.ts';
import { test } from './google-shop.ts';
import { holdRequests } from './network.ts';
import { createPerson, readAccessToken } from './people.ts';

// With the browser's popup blocker, which other stories disable.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});
// One shop for all of them.
test.describe.configure({ mode: 'default' });

const account = (page: Page) => page.getByRole('button', { name: 'Amara' });
const google = (page: Page) => page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' });

async function openGoogle(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()]);
  await popup.getByPlaceholder('Enter any login').waitFor();
  return popup;
}

async function signInAtGoogle(popup: Page, email: string): Promise<void> {
  const closed = popup.waitForEvent('close');
  await popup.getByPlaceholder('Enter any login').fill(email);
  await popup.getByPlaceholder('and password').fill('any password');
  await popup.getByRole('button', { name: 'Sign-in' }).click();
  await popup.getByRole('button', { name: 'Continue' }).click();
  await closed;
}

const newAddress = () => createPerson().email;

test('a new customer signs in with Google at a slow shop', async ({ page }) => {
  const release = await holdRequests(page, '**/identity/sign-in/social');
  await page.goto('/login?from=%2Fdashboard%2Fmy-profile');
  const [popup] = await Promise.all([page.waitForEvent('popup'), google(page).click()]);
  // The browser would block a window opened after the press.
  expect(popup.url()).toBe('about:blank');
  release();
  await popup.getByPlaceholder('Enter any login').waitFor();
  await signInAtGoogle(popup, newAddress());
  await expect(page).toHaveURL('/dashboard/my-profile');
  await expect(page.getByRole('definition').first()).toHaveText('Amara at Google');
  expect(await readAccessToken(page)).toMatch(/^[\w-]{43}$/);
});

test('a cancelled or closed sign-in at Google can be repeated', async ({ page }) => {
  await page.goto('/login');
  const popup = await openGoogle(page);
  const closed = popup.waitForEvent('close');
  await popup.getByRole('link', { name: 'Cancel' }).click();
  await closed;
  await expect(page.getByRole('alert')).toHaveText('The sign-in with Google was cancelled.');
  await (await openGoogle(page)).close();
  await expect(page.getByRole('alert')).toHaveText(
    'The window of Google was closed before the sign-in was done.',
  );
  await expectFit(page);
  await signInAtGoogle(await openGoogle(page), newAddress());
  await expect(account(page)).toBeVisible();
});

test('a sign-in counts when Google’s pages isolate their window', async ({ page, context, googleShop }) => {
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

test('the popup page fits each window', async ({ page }) => {
  await page.goto('/auth/popup.html?error=failed');
  await expect(page.getByRole('status')).toHaveText(
    'The sign-in with Google has failed. Close this window and go on in the shop.',
  );
  await expectFit(page);
  await storeTheme(page, 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('the red banner names a blocked window', { tag: '@full' }, async ({ page }) => {
  // Evaluated scripts count as a press.
  await page.addInitScript(() => {
    const probe = window.open('');
    probe?.close();
    if (probe) return console.info('this browser blocks nothing');
    const timer = setInterval(() => {
      const banner = document.querySelector('[role=alert]');
      const buttons = [...document.querySelectorAll('button')];
      // Repeated, as it does nothing before hydration.
      if (!banner) return buttons.find((button) => button.textContent === 'CONTINUE WITH GOOGLE')?.click();
      clearInterval(timer);
      console.info(`banner: ${banner.textContent}`);
    }, 100);
  });
  const [told] = await Promise.all([
    page.waitForEvent('console', (message) => /^(banner|this browser)/.test(message.text())),
    page.goto('/login'),
  ]);
  const isBlocking = told.text() !== 'this browser blocks nothing';
  // The headless shell has no blocker; a full Chromium in CHROMIUM has one.
  test.skip(
    !isBlocking,
    'The browser without a screen of its own blocks no window; CHROMIUM names another one.',
  );
  expect(told.text()).toBe(
    'banner: The browser has blocked the window of Google. Allow pop-up windows for this shop and try again.',
  );
});
