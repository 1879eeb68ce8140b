import { expect } from '@playwright/test';
import { getCustomer, readAccessToken, submitLogin } from './people.ts';
import { test } from './silent-test.ts';

test('guarded pages lead visitors and ended sessions to /login and back', async ({
  page,
  context,
  request,
}) => {
  const person = await getCustomer(request);
  await page.goto('/all-products');
  await page.getByRole('link', { name: 'Order Now' }).first().click();
  await expect(page).toHaveURL(/\/login\?from=%2Fpurchase%2F/);
  await expect(page.getByText("Log in to order this part. We'll bring you back.")).toBeVisible();
  await submitLogin(page, person);
  await expect(page).toHaveURL(/\/purchase\//);
  await expect(page.getByLabel('Purchase Quantity')).toBeEnabled();

  // Another open page of the shop could notice the ended session first.
  await page.goto('/robots.txt');
  await context.clearCookies();
  await page.goto('/dashboard/my-orders');
  await expect(page).toHaveURL('/login?from=%2Fdashboard%2Fmy-orders');
  await expect(
    page.getByText('Your session has ended. Log in again to continue where you left off.'),
  ).toBeVisible();
  expect(await readAccessToken(page)).toBeNull();
  await submitLogin(page, person);
  await expect(page).toHaveURL('/dashboard/my-orders');
});
