import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectFit } from './accessibility.ts';
import { cardFrame, payButton } from './card-form.ts';
import { acceptPayment, payForOrders, placeOrder, placePurchase } from './orders.ts';
import { administrator, getAccessToken, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

/** Presses of a person; what they type is not counted. */
function countPresses(page: Page) {
  let count = 0;
  return {
    click: (target: Locator) => {
      count += 1;
      return target.click();
    },
    press: (key: string) => {
      count += 1;
      return page.keyboard.press(key);
    },
    paste: (text: string) => {
      count += 1;
      return page.keyboard.insertText(text);
    },
    /** Then counts from zero. */
    expectAtMost: (limit: number) => {
      expect(count, 'presses').toBeLessThanOrEqual(limit);
      count = 0;
    },
  };
}

const repeat = <Result>(times: number, act: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: times }, act));

test('fifty orders are accepted, packed and filed in ten clicks', async ({ page, request }) => {
  const person = await register(request);
  const part = await addProduct(request);
  const [first, ...others] = await repeat(50, () => placeOrder(request, person, part));
  if (!first) throw new Error('Fifty orders are needed.');
  await payForOrders(request, [first, ...others]);
  const { click, expectAtMost } = countPresses(page);
  const chooseAll = page.getByRole('checkbox', { name: 'Choose all 50 listed' });

  await signIn(page, administrator, `/dashboard/manage-orders?part=${part._id}`);
  const tabs = page.getByRole('navigation', { name: 'Status' });
  await click(tabs.getByRole('link', { name: 'pending' }));
  await click(chooseAll);
  await click(page.getByRole('button', { name: 'Accept 50' }));
  await click(page.getByRole('button', { name: 'Accept 50 payments' }));
  await expect(page.getByText('50 accepted')).toBeVisible();
  expectAtMost(4);

  await click(tabs.getByRole('link', { name: 'Shipped' }));
  await click(chooseAll);
  await click(page.getByRole('link', { name: 'Packing slips' }));
  await expect(page.getByRole('article', { name: /^Packing slip/ }).getByRole('row')).toHaveCount(51);
  expectAtMost(3);

  await signIn(page, person, '/dashboard/my-orders');
  await click(page.getByRole('button', { name: 'All days' }));
  await click(page.getByRole('button', { name: 'This month' }));
  const downloading = page.waitForEvent('download');
  await click(page.getByRole('button', { name: 'Papers of the month' }));
  expectAtMost(3);
  const zip = await readFile(await (await downloading).path());
  // The number of files in the archive's last record.
  expect(zip.readUInt16LE(zip.length - 12)).toBe(50);
});

test('a price is changed in three clicks', async ({ page, request }) => {
  const part = await addProduct(request);
  await signIn(page, administrator, `/dashboard/manage-products?q=${encodeURIComponent(part.name)}`);
  const { click, expectAtMost } = countPresses(page);
  await click(findRow(page, part.name).getByRole('checkbox'));
  await click(page.getByRole('button', { name: 'Change prices' }));
  await expect(page.getByLabel('By')).toBeFocused();
  await page.keyboard.type('10%');
  await click(page.getByRole('button', { name: 'Change 1 price' }));
  await expect(page.getByRole('heading', { name: '1 part changed' })).toBeVisible();
  await expect(page.getByRole('deletion')).toHaveText('64.50');
  expectAtMost(3);
});

test('thirty pasted lines are paid with forty keys', async ({ page, request }) => {
  const numbers = Array.from({ length: 30 }, (_, index) => `Q${process.pid}-${index}`);
  // Otherwise each of the concurrent calls would sign in.
  await getAccessToken(request, administrator);
  await Promise.all(numbers.map((number) => addProduct(request, { number, price: 2 })));
  await signIn(page, await register(request), '/dashboard/batch');
  const { press, paste, expectAtMost } = countPresses(page);
  const tabTo = async (target: Locator) => {
    do await press('Tab');
    while (!(await target.evaluate((element) => element === document.activeElement)));
  };
  const lines = page.getByLabel('Lines to add');
  await lines.focus();
  await paste(numbers.map((number) => `${number}, 50`).join('\n'));
  await tabTo(page.getByRole('button', { name: 'Add lines' }));
  await press('Enter');
  await expect(page.getByText('30 of 30 lines read.')).toBeVisible();
  await tabTo(page.getByRole('link', { name: 'Skip the lines' }));
  await press('Enter');
  await tabTo(page.getByLabel('Address'));
  await page.keyboard.type('12 Oxford Street, Osu');
  await tabTo(page.getByLabel('phone'));
  await page.keyboard.type('233302771204');
  await tabTo(page.getByRole('button', { name: 'Place 30 orders' }));
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '30 parts placed' })).toBeFocused();
  await tabTo(page.getByRole('link', { name: /^Pay all/ }));
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Pay for 30 orders' })).toBeFocused();
  await expect(payButton(page)).toBeEnabled();
  await tabTo(page.getByText('All 30 orders'));
  await press('Tab');
  // Each full field passes the focus on.
  for (const [field, digits] of [
    ['number', '4242424242424242'],
    ['expiry', '1234'],
    ['cvc', '123'],
  ]) {
    await expect(cardFrame(page).locator(`[name=${field}]`)).toBeFocused();
    await page.keyboard.type(String(digits));
  }
  await press('Tab');
  await expect(payButton(page)).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('heading', { name: /^Success/ })).toBeFocused();
  expectAtMost(40);
});

test('thirty parts of one purchase are one row, accepted at once', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const person = await register(request);
  await getAccessToken(request, administrator);
  const parts = await repeat(30, () => addProduct(request, { price: 2 }));
  const [first, ...others] = await placePurchase(request, person, parts);
  if (!first) throw new Error('A purchase has orders.');
  await payForOrders(request, [first, ...others]);
  await acceptPayment(request, first);

  await signIn(page, administrator, `/dashboard/manage-orders?customer=${encodeURIComponent(person.email)}`);
  await expect(page.getByRole('checkbox', { name: /^Choose (order|purchase)/ })).toHaveCount(1);
  const row = findRow(page, '30 parts');
  await expect(row).toContainText('29 pending');
  await row.getByRole('button', { name: /^Lines of purchase/ }).click();
  await expect(page.getByText('23 more lines')).toBeVisible();
  await expectFit(page);
  await row.getByRole('checkbox').click();
  await expect(page.getByText('30 orders chosen, in 1 row')).toBeVisible();
  await page.getByRole('button', { name: 'Accept 29', exact: true }).click();
  await page.getByRole('button', { name: 'Accept 29 payments' }).click();
  await expect(page.getByText('29 accepted')).toBeVisible();
  await expect(row).toContainText('Shipped');

  await signIn(page, person, '/dashboard/my-orders');
  await expect(findRow(page, '30 parts')).toContainText('paid');
  await findRow(page, '30 parts').getByRole('link').first().click();
  await expect(page).toHaveURL(/\/dashboard\/purchase\/\d+$/);
});

test('the orders table works by keyboard alone', async ({ page, request, isMobile }) => {
  test.skip(isMobile, 'Phones have the act of a row in its menu.');
  const person = await register(request);
  const part = await addProduct(request);
  await repeat(4, () => placeOrder(request, person, part));
  await signIn(page, administrator, `/dashboard/manage-orders?part=${part._id}`);
  const boxes = page.getByRole('checkbox', { name: /^Choose order \d+$/ });
  await expect(boxes).toHaveCount(4);
  await page.getByRole('checkbox', { name: 'Choose all 4 listed' }).focus();
  // The headings Order and Total price sort.
  for (const _ of ['Order', 'Total price', 'box']) await page.keyboard.press('Tab');
  await expect(boxes.first()).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('3 chosen')).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(boxes.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Deliver to')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Deliver to')).toHaveCount(0);
  for (const _ of ['order', 'Cancel', 'menu']) await page.keyboard.press('Tab');
  const menu = page.getByRole('button', { name: /^More for/ }).nth(1);
  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Details' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await expect(menu).toBeFocused();
});
