import { expect } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { acceptPayment, payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import {
  administrator,
  authorize,
  createPerson,
  getAccessToken,
  register,
  registerAdministrator,
  signIn,
} from './people.ts';
import { addProduct, readStock } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

test('an administrator accepts a payment: pending becomes Shipped, and the customer reads paid', {
  tag: '@phone',
}, async ({ page, browser, request }) => {
  const person = await register(request);
  const part = await addProduct(request);
  const order = await placeOrder(request, person, part, 120);
  const transactionId = await payForOrder(request, order);
  await signIn(page, administrator, '/dashboard/manage-orders');
  await expect(page.getByRole('heading', { level: 1, name: 'All Orders' })).toBeVisible();
  const row = findRow(page, part.name);
  await expect(row).toContainText(person.name);
  await expect(row).toContainText('$7,740.00');
  await expect(row).toContainText('pending');
  await row.getByRole('button', { name: 'accept payment' }).click();
  await expect(page.getByText('Order Payment Accepted')).toBeVisible();
  await expect(row).toContainText('Shipped');
  await expect(row.getByRole('button', { name: /^accept payment/ })).toHaveCount(0);
  const customer = await browser.newPage();
  await signIn(customer, person, '/dashboard/my-orders');
  await expect(findRow(customer, part.name)).toContainText('paid');
  await expect(findRow(customer, part.name)).toContainText(transactionId);
  await expect(customer.getByRole('button', { name: `Copy transaction id ${transactionId}` })).toBeVisible();
  await customer.close();
});

test('an administrator gives the money of a pending order back after a question, and its stock goes back', async ({
  page,
  request,
}) => {
  const { part, order } = await registerCustomerWithOrder(request);
  await payForOrder(request, order);
  await signIn(page, administrator, '/dashboard/manage-orders');
  await findRow(page, part.name)
    .getByRole('button', { name: /^Refund order of/ })
    .click();
  const question = page.getByRole('dialog', { name: 'Refund this order?' });
  await expect(question.getByRole('checkbox', { name: /to the stock$/ })).toBeChecked();
  await question.getByRole('button', { name: 'Refund order', exact: true }).click();
  await expect(page.getByText('Order refunded')).toBeVisible();
  await expect(findRow(page, part.name)).toHaveCount(0);
  expect(await readStock(request, part._id)).toBe(part.quantity);
});

test('two presses at one place accept one payment, and the accepted row stays', async ({ page, request }) => {
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
  // The row stays where it is, and so does the next one.
  await expect(findRow(page, part.name).filter({ hasText: 'Shipped' })).toHaveCount(1);
  await expect(findRow(page, part.name).filter({ hasText: 'pending' })).toHaveCount(1);
  // The second press, which the browser counts as one, and a third that it does not.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 10);
  await expect(page.getByText('Order Payment Accepted')).toBeVisible();
  await page.goto(`/dashboard/manage-orders?q=${encodeURIComponent(part.name)}`);
  await expect(findRow(page, part.name).filter({ hasText: 'pending' })).toHaveCount(1);
  await expect(findRow(page, part.name).filter({ hasText: 'Shipped' })).toHaveCount(1);
});

test('an administrator cancels an unpaid order after a question', async ({ page, request }) => {
  const { part } = await registerCustomerWithOrder(request);
  await signIn(page, administrator, '/dashboard/manage-orders');
  await findRow(page, part.name)
    .getByRole('button', { name: /^Cancel order of/ })
    .click();
  const question = page.getByRole('dialog', { name: 'Cancel this order?' });
  await expect(question).toContainText('Amara Okafor');
  await expect(question).toContainText('go back into stock, and the customer gets a mail.');
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await expect(page.getByText('Order Cancel successfully..!')).toBeVisible();
  await expect(findRow(page, part.name)).toHaveCount(0);
  expect(await readStock(request, part._id)).toBe(part.quantity);
});

test('a payment that was accepted elsewhere stands as a notice in the place of its row', async ({
  page,
  request,
}) => {
  const { part, order } = await registerCustomerWithOrder(request);
  await payForOrder(request, order);
  await signIn(page, administrator, '/dashboard/manage-orders');
  const accept = page.getByRole('button', { name: new RegExp(`^accept payment for ${part.name}`) });
  await expect(accept).toBeVisible();
  // The list is not asked for again before the press.
  await page.waitForLoadState('networkidle');
  await acceptPayment(request, order);
  await accept.click();
  await expect(page.getByRole('alert')).toContainText('This payment was accepted meanwhile.');
  await page.getByRole('button', { name: 'Understood' }).click();
  await expect(findRow(page, part.name)).toContainText('Shipped');
});

test('all orders are searched and filtered in the address; address and phone unfold in the row', {
  tag: '@phone',
}, async ({ page, request }) => {
  const { person, part } = await registerCustomerWithOrder(request);
  await payForOrder(request, await placeOrder(request, person, part));
  await signIn(page, administrator, '/dashboard/manage-orders');
  await page.getByLabel('Search orders').fill(person.email);
  await expect(page).toHaveURL(/[?&]q=/);
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByLabel('Status').selectOption('unpaid');
  await expect(page).toHaveURL(/[?&]status=due/);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(findRow(page, part.name)).toContainText('unpaid');
  await page.reload();
  await expect(page.getByLabel('Search orders')).toHaveValue(person.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await findRow(page, part.name).getByText('Address').click();
  await expect(findRow(page, part.name).getByText('12 Oxford Street, Osu')).toBeVisible();
  await expect(findRow(page, part.name).getByText('233302771204')).toBeVisible();
  await page.getByLabel('Search orders').fill('nothing that anybody ordered');
  await expect(page.getByText('No order matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await expect(page).toHaveURL('/dashboard/manage-orders');
  await expect(page.getByLabel('Search orders')).toHaveValue('');
});

test("a user becomes an administrator after a question; then the row reads 'Can not take action'", async ({
  page,
  request,
}) => {
  const person = await register(request, createPerson('Lindiwe Dlamini'));
  await signIn(page, administrator, '/dashboard/manage-users');
  await expect(page.getByRole('heading', { level: 1, name: 'Manage All Users' })).toBeVisible();
  await page.getByLabel('Search name or email').fill(person.email);
  await expect(page.getByText('1 user', { exact: true })).toBeVisible();
  await findRow(page, person.name)
    .getByRole('button', { name: /^Make Admin/ })
    .click();
  const question = page.getByRole('dialog', { name: `Make ${person.name} an admin?` });
  await expect(question.getByRole('button', { name: 'Keep as user' })).toBeFocused();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Make Admin' }).click();
  await expect(page.getByText('Made Admin successfully..!')).toBeVisible();
  await expect(findRow(page, person.name)).toContainText('Can not take action');
  await expect(findRow(page, person.name).getByRole('button')).toHaveText(['Make user']);
});

test('an administrator becomes a user after a question, and at once no longer administers', async ({
  page,
  request,
}) => {
  const person = await registerAdministrator(request, 'Lerato Dlamini');
  await signIn(page, administrator, `/dashboard/manage-users?q=${encodeURIComponent(person.email)}`);
  await page.getByRole('button', { name: `Make user: ${person.name}` }).click();
  const question = page.getByRole('dialog', { name: `Make ${person.name} a user?` });
  await expect(question.getByRole('button', { name: 'Keep as admin' })).toBeFocused();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Make user' }).click();
  await expect(page.getByText('Made user', { exact: true })).toBeVisible();
  await expect(findRow(page, person.name)).not.toContainText('Can not take action');
  const headers = authorize(await getAccessToken(request, person));
  expect((await request.get('/user', { headers })).status()).toBe(403);
});

test('a user is deleted after a question and is signed out everywhere at once', async ({
  page,
  browser,
  request,
}) => {
  const person = await register(request, createPerson('Greta Solberg'));
  const visitor = await browser.newPage();
  await signIn(visitor, person, '/dashboard/my-profile');
  await expect(visitor.getByRole('region', { name: 'Your details' })).toContainText(person.name);
  await signIn(page, administrator, `/dashboard/manage-users?q=${encodeURIComponent(person.email)}`);
  await page.getByRole('button', { name: `Delete user ${person.name}` }).click();
  await page
    .getByRole('dialog', { name: `Delete ${person.name}?` })
    .getByRole('button', { name: 'Delete user' })
    .click();
  await expect(page.getByText('User Removed successfully..!')).toBeVisible();
  await expect(page.getByText('Nobody matches')).toBeVisible();
  await visitor.goto('/dashboard/my-orders');
  await expect(visitor).toHaveURL(/\/login\?from=/);
  await visitor.close();
});

test(
  "the dashboard's menu of an administrator has its entries and no more",
  { tag: '@phone' },
  async ({ page }, { project }) => {
    await signIn(page, administrator, '/dashboard/my-profile');
    if (project.name === 'phone') await page.getByRole('button', { name: /^Dashboard menu/ }).click();
    await expect(page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link')).toHaveText([
      'Overview',
      'My Profile',
      'Manage All Orders',
      'Make Admin',
      'Add Product',
      'Manage Products',
      'Restock by CSV',
      'Activity',
    ]);
  },
);

for (const theme of themes) {
  test(
    `the administrator's pages are accessible in the ${theme} theme`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      // Eight pages for axe to go through.
      test.slow();
      await storeTheme(page, theme);
      const { person, part } = await registerCustomerWithOrder(request);
      await signIn(page, administrator);
      for (const [path, ready] of [
        [`manage-orders?q=${encodeURIComponent(part.name)}`, part.name],
        [`manage-users?q=${encodeURIComponent(person.email)}`, person.email],
        [`manage-products?q=${encodeURIComponent(part.name)}`, part.name],
        [`manage-products/${part._id}`, 'Nothing is changed.'],
        [`manage-products/${part._id}/stock`, 'Sum of all movements since the part was added'],
        ['restock-csv', 'Choose a CSV file'],
        ['add-product', 'Choose a picture'],
        ['my-profile', 'Update your profile'],
      ] as const) {
        await page.goto(`/dashboard/${path}`);
        await expect(page.getByText(ready).first()).toBeVisible();
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
    },
  );

  test(
    `the administrator's menu and dialogs are accessible in the ${theme} theme`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      await storeTheme(page, theme);
      const { person, part } = await registerCustomerWithOrder(request);
      for (const [path, button] of [
        [`manage-orders?q=${encodeURIComponent(part.name)}`, /^Cancel order of/],
        [`manage-users?q=${encodeURIComponent(person.email)}`, /^Make Admin/],
        [`manage-users?q=${encodeURIComponent(person.email)}`, /^Delete user/],
        ['manage-products', /^Restock/],
        ['manage-products', /^Delete/],
        [`manage-products/${part._id}/stock`, 'Correct stock'],
      ] as const) {
        await signIn(page, administrator, `/dashboard/${path}`);
        await page.getByRole('button', { name: button }).first().click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectAccessible(page);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Administrator' }).click();
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
      await expectAccessible(page);
    },
  );
}
