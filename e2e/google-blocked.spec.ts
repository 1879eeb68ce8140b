import { expect } from '@playwright/test';
import { test } from './google-shop.ts';

// The browser's own blocker, which the stories otherwise run without.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});
test.describe.configure({ mode: 'default' });

test('a window that the browser blocks is told in the red banner', async ({ page }) => {
  // Only the page's own scripts run until the banner is there: whatever a story evaluates in a page counts as a press.
  await page.addInitScript(() => {
    const probe = window.open('');
    probe?.close();
    if (probe) return console.info('this browser blocks nothing');
    const timer = setInterval(() => {
      const banner = document.querySelector('[role=alert]');
      const buttons = [...document.querySelectorAll('button')];
      // Again and again: it does nothing before the page is alive.
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
  // The headless shell has no blocker, so there is nothing to see in it; a full Chromium named by CHROMIUM has one.
  test.skip(
    !isBlocking,
    'The browser without a screen of its own blocks no window; CHROMIUM names another one.',
  );
  expect(told.text()).toBe(
    'banner: The browser has blocked the window of Google. Allow pop-up windows for this shop and try again.',
  );
});

test('a window that a person asks for is not blocked, however long the shop takes to answer', {
  tag: '@phone',
}, async ({ page }) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/identity/sign-in/social', async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto('/login');
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' }).click(),
  ]);
  expect(popup.url()).toBe('about:blank');
  release();
  await expect(popup.getByPlaceholder('Enter any login')).toBeVisible();
});
