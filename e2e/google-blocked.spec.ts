import { expect } from '@playwright/test';
import { test } from './google-shop.ts';

// The browser's own blocker, which the stories otherwise run without.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
});
test.describe.configure({ mode: 'default' });

test('a window that the browser blocks is told in the red banner', async ({ page, context }) => {
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'CONTINUE WITH GOOGLE' });
  // A press allows one window, and this script takes it first.
  const isBlocking = await button.evaluate((element: HTMLElement) => {
    const [first, second] = [window.open(''), window.open('')];
    first?.close();
    second?.close();
    element.click();
    return second === null;
  });
  test.skip(
    !isBlocking,
    'The browser without a screen of its own blocks no window; CHROMIUM names another one.',
  );
  await expect(page.getByRole('alert')).toHaveText(
    'The browser has blocked the window of Google. Allow pop-up windows for this shop and try again.',
  );
  expect(context.pages()).toHaveLength(1);
});

test('a window that a person asks for is not blocked, however long the shop takes to answer', async ({
  page,
}) => {
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
