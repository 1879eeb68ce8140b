import { expect } from '@playwright/test';
import { storeTheme } from './accessibility.ts';
import { register, signIn } from './people.ts';
import { test } from './recorded-test.ts';

test('a failed page and the next one keep theme and account', async ({ page, request }) => {
  await storeTheme(page, 'dark');
  await signIn(page, await register(request), '/dashboard/my-profile');
  await page.route('**/identity/get-session', (route) => route.fulfill({ status: 503, json: {} }));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Something went wrong on our side' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('link', { name: 'Login' })).toHaveCount(0);
  await page.unroute('**/identity/get-session');
  await page.getByRole('link', { name: 'Take Me Home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('link', { name: 'Login' })).toHaveCount(0);
});
