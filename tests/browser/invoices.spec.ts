import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { acceptPayment, payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import { administrator, signIn } from './people.ts';
import { test } from './recorded-test.ts';

test('the filtered orders are downloaded as a file', async ({ page, request, isMobile }) => {
  test.skip(isMobile, 'Phones have no export.');
  const { part, person } = await registerCustomerWithOrder(request);
  await registerCustomerWithOrder(request);
  await signIn(page, administrator, `/dashboard/manage-orders?q=${encodeURIComponent(part.name)}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
  const rows = (await readFile(await download.path(), 'utf8')).split('\r\n');
  expect(rows).toHaveLength(3);
  expect(rows[1]).toContain(part.name);
  expect(rows[1]).toContain(person.email);
});

test('the pick list prints without menus and leads to packing slips', async ({ page, request, isMobile }) => {
  test.skip(isMobile, 'Phones have no link to the pick list.');
  const { part, person, order } = await registerCustomerWithOrder(request);
  const more = await placeOrder(request, person, part, 120);
  for (const each of [order, more]) {
    await payForOrder(request, each);
    await acceptPayment(request, each);
  }
  await signIn(page, administrator, '/dashboard/manage-orders');
  await page.getByRole('link', { name: 'Pick list' }).click();
  await page.getByRole('link', { name: 'To send' }).click();
  await page.goto(`/dashboard/pick-list?orders=${order.id},${more.id}`);
  const row = page.getByRole('row', { name: new RegExp(part.name) });
  await expect(row).toContainText(String(part.minimumOrder + 120));
  await expect(page.getByText('2 orders, 1 part.')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(row).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await page
    .getByRole('link', { name: /^Packing slip of order/ })
    .first()
    .click();
  const slip = page.getByRole('article', { name: /^Packing slip of order/ });
  await expect(slip).toContainText(part.name);
  await expect(slip).toContainText('12 Oxford Street, Osu');
  await expect(slip.getByRole('img', { name: 'QR code of your orders' })).toBeVisible();
});

test('a typed day counts once it is whole', async ({ page, request }) => {
  const { order } = await registerCustomerWithOrder(request);
  await payForOrder(request, order);
  await acceptPayment(request, order);
  await signIn(page, administrator, '/dashboard/pick-list?status=paid');
  const since = page.getByLabel('Accepted since');
  await expect(page.getByText(/All that is to be sent\.$/)).toBeVisible();
  await since.focus();
  // The browser reports a day after each digit of the year; none of them counts.
  await page.keyboard.type('11022025');
  await expect(since).toHaveValue('2025-11-02');
  await expect(page).toHaveURL(/pick-list\?status=paid$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/since=2025-11-02$/);
  await expect(page.getByText(/accepted since 2 Nov 2025 \(UTC\)\.$/)).toBeVisible();
  await expect(since).toBeFocused();
  // Back in the field's first part, the month.
  await page.getByRole('link', { name: 'To send' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type('10');
  await page.getByRole('link', { name: 'To send' }).focus();
  await expect(page).toHaveURL(/since=2025-10-02$/);
});
