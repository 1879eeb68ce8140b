import { expect } from '@playwright/test';
import { payForOrder, placeOrder } from './orders.ts';
import { administrator, createPerson, register, signIn } from './people.ts';
import { addProduct, readStock } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow, pressInMenu } from './rows.ts';

test('an administrator accepts, refunds and cancels orders in their rows', async ({
  page,
  browser,
  request,
}) => {
  const person = await register(request);
  const part = await addProduct(request);
  const accepted = await placeOrder(request, person, part, 120);
  const transactionId = await payForOrder(request, accepted);
  await payForOrder(request, await placeOrder(request, person, part, 60));
  await placeOrder(request, person, part, 70);
  await signIn(page, administrator, `/dashboard/manage-orders?q=${encodeURIComponent(part.name)}`);
  await expect(page.getByRole('heading', { level: 1, name: 'All Orders' })).toBeVisible();
  const first = findRow(page, '$7,740.00');
  const second = findRow(page, '$3,870.00');
  const third = findRow(page, '$4,515.00');
  await expect(first).toContainText(person.name);
  // A phone's row says what the columns of a desk say.
  await page.setViewportSize({ width: 390, height: 625 });
  for (const told of [first.getByRole('link', { name: /^\d+$/ }), first.getByText('× 120')])
    await expect(told).toBeVisible();
  await page.setViewportSize({ width: 1366, height: 625 });
  await expect(first).toHaveCSS('height', '48px');
  const name = first.getByTitle(part.name);
  expect(await name.evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true);
  await first.getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: 'Accept 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept 1 payment' }).click();
  await expect(page.getByText('1 accepted')).toBeVisible();
  await expect(first).toContainText('Shipped');

  await pressInMenu(second, /^Refund order of/);
  const refund = page.getByRole('dialog', { name: /^Refund of order / });
  await expect(refund.getByRole('checkbox', { name: /back in stock$/ })).toBeChecked();
  await expect(refund.getByRole('heading')).toBeInViewport({ ratio: 1 });
  await refund.getByRole('button', { name: /^Refund \$/ }).click();
  await expect(page.getByText('Order refunded')).toBeVisible();

  await pressInMenu(third, /^Cancel order of/);
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(page.getByText('Order Cancel successfully..!')).toBeVisible();
  await expect(third).toHaveCount(0);
  expect(await readStock(request, part._id)).toBe(part.quantity - 120);

  const customer = await browser.newPage();
  await signIn(customer, person, '/dashboard/my-orders');
  await expect(findRow(customer, '$7,740.00')).toContainText('paid');
  await expect(customer.getByRole('button', { name: `Copy transaction id ${transactionId}` })).toBeVisible();
  await customer.close();
});

test('two presses at one place accept one payment', async ({ page, request, isMobile }) => {
  test.skip(isMobile, 'Phones accept chosen orders, or one on its page: a row has no button.');
  const person = await register(request);
  const part = await addProduct(request);
  for (const quantity of [60, 70])
    await payForOrder(request, await placeOrder(request, person, part, quantity));
  const query = `q=${encodeURIComponent(part.name)}&status=pending`;
  await signIn(page, administrator, `/dashboard/manage-orders?${query}`);
  const first = page.getByRole('button', { name: /^accept payment/ }).first();
  await first.scrollIntoViewIfNeeded();
  const place = await first.boundingBox();
  await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10);
  await expect(page.getByText('Order Payment Accepted')).toBeVisible();
  // Neither this row nor the next one moves.
  await expect(findRow(page, part.name).filter({ hasText: 'Shipped' })).toHaveCount(1);
  await expect(findRow(page, part.name).filter({ hasText: 'pending' })).toHaveCount(1);
  // A second press that counts as a double click, and a third that does not.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10);
  await page.goto(`/dashboard/manage-orders?q=${encodeURIComponent(part.name)}`);
  await expect(findRow(page, part.name).filter({ hasText: 'pending' })).toHaveCount(1);
  await expect(findRow(page, part.name).filter({ hasText: 'Shipped' })).toHaveCount(1);
});

test('a user becomes administrator and user again, then is deleted everywhere', async ({
  page,
  browser,
  request,
}) => {
  const person = await register(request, createPerson('Greta Solberg'));
  const visitor = await browser.newPage();
  await signIn(visitor, person, '/dashboard/my-profile');
  await signIn(page, administrator, `/dashboard/manage-users?q=${encodeURIComponent(person.email)}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Manage All Users' })).toBeVisible();
  const row = findRow(page, person.name);
  const question = page.getByRole('dialog');
  await row.getByRole('button', { name: /^Make Admin/ }).click();
  await expect(question.getByRole('button', { name: 'Keep as user' })).toBeFocused();
  await question.getByRole('button', { name: 'Make Admin' }).click();
  await expect(page.getByText('Made Admin successfully..!')).toBeVisible();
  await expect(row).toContainText('Can not take action');
  await pressInMenu(row, /^Make user/);
  await question.getByRole('button', { name: 'Make user' }).click();
  await expect(page.getByText('Made user', { exact: true })).toBeVisible();
  await pressInMenu(row, /^Delete user/);
  await question.getByRole('button', { name: 'Delete user' }).click();
  await expect(page.getByText('User Removed successfully..!')).toBeVisible();
  await expect(page.getByText('Nobody matches')).toBeVisible();
  await visitor.goto('/dashboard/my-orders');
  await expect(visitor).toHaveURL(/\/login\?from=/);
  await visitor.close();
});
