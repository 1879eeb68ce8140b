import { expect } from '@playwright/test';
import { payForOrder, placeOrder } from './orders.ts';
import { administrator, createPerson, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

test('an owner accepts a payment and finds it in the activity', async ({ page, request }) => {
  const person = await register(request, { ...createPerson(), name: 'Tomás Herrera' });
  const part = await addProduct(request);
  const order = await placeOrder(request, person, part, 120);
  const transactionId = await payForOrder(request, order);
  await signIn(page, administrator, '/dashboard/overview');
  await page.getByRole('link', { name: /payments? to accept$/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All Orders' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^pending/ })).toHaveAttribute('aria-current', 'true');
  // A payment's whole id finds its order, and the row links to it.
  await page.getByLabel('Search orders').fill(transactionId);
  await expect(page.getByRole('row')).toHaveCount(2);
  await findRow(page, part.name)
    .getByRole('link', { name: /^\d{5}$/ })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();
  const payment = page.getByRole('region', { name: 'Payment' });
  await expect(payment.getByText(transactionId)).toBeVisible();
  await expect(payment.getByText('$7,740.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'accept payment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'accept payment' }).click();
  await expect(page.getByText('Order Payment Accepted')).toBeVisible();
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress.getByText('Shipped', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Tomás Herrera' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tomás Herrera' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Paid in all$7,740.00');

  await page.goto(`/dashboard/activity?q=${order.id}`);
  await expect(page.getByText('Administrator accepted the payment')).toBeVisible();
});

test('forced colours keep icons, the active option and the bars', async ({ page, isMobile }) => {
  test.skip(isMobile, 'On phones the filters are in a sheet.');
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await signIn(page, administrator, '/dashboard/overview');
  const bars = page.getByRole('figure', { name: 'Revenue by week' }).locator('.forced-color-adjust-none');
  await expect(bars.last()).not.toHaveCSS('background-color', 'rgb(0, 0, 0)');
  await expect(bars.last().locator('span')).toHaveCSS('color', 'rgb(255, 255, 255)');
  await page.goto('/all-products');
  await page.getByRole('combobox', { name: 'Fits phone model' }).press('ArrowDown');
  await expect(page.getByRole('option').first()).toHaveCSS('outline-style', 'solid');
  await expect(page.getByRole('button', { name: 'Show phone models' }).locator('svg')).toHaveCSS(
    'color',
    'rgb(255, 255, 255)',
  );
});
