import { expect } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { payForOrder, placeOrder, registerCustomerWithOrder } from './orders.ts';
import { administrator, createPerson, register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

test('an owner goes from the overview to a payment, accepts it on its page, and finds it in the activity', async ({
  page,
  request,
}) => {
  const person = await register(request, { ...createPerson(), name: 'Tomás Herrera' });
  const part = await addProduct(request);
  const order = await placeOrder(request, person, part, 120);
  const transactionId = await payForOrder(request, order);
  await signIn(page, administrator, '/dashboard/overview');
  await page.getByRole('link', { name: /payments? to accept$/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'All Orders' })).toBeVisible();
  await expect(page.getByLabel('Status')).toHaveValue('pending');
  // The payment's whole id finds its order, and the row leads there.
  await page.getByLabel('Search orders').fill(transactionId);
  await expect(page.getByRole('row')).toHaveCount(2);
  await findRow(page, part.name).getByRole('link', { name: part.name }).click();
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

test(
  'the activity is narrowed down to a person, on phones without days but those of the address',
  { tag: '@phone' },
  async ({ page }, { project }) => {
    await signIn(page, administrator, '/dashboard/activity');
    const from = page.getByLabel('From', { exact: true });
    const who = page.getByLabel('Who');
    await expect(who.getByRole('option', { name: administrator.name })).toBeAttached();
    await expect(from).toBeVisible({ visible: project.name === 'desktop' });
    await who.selectOption(administrator.name);
    await expect(page).toHaveURL(/who=/);
    await expect(page.getByRole('listitem').filter({ hasText: administrator.name }).first()).toBeVisible();
    await page.goto('/dashboard/activity?from=2999-01-01');
    await expect(page.getByText('No entry matches')).toBeVisible();
    await from.fill('');
    await from.blur();
    await expect(page).toHaveURL('/dashboard/activity');
    await expect(from).toBeVisible();
  },
);

test('a name is found without its accents, and many payments are accepted in one go', async ({
  page,
  request,
}) => {
  const person = await register(request, { ...createPerson(), name: `Zoë Å${Date.now().toString(36)}` });
  const part = await addProduct(request);
  for (const quantity of [60, 70, 80]) {
    await payForOrder(request, await placeOrder(request, person, part, quantity));
  }
  const [, lastName = ''] = person.name.split(' ');
  const q = encodeURIComponent(`zoe ${lastName.replace('Å', 'a')}`);
  await signIn(page, administrator, `/dashboard/manage-orders?q=${q}&status=pending`);
  await page.getByRole('checkbox', { name: 'Choose all 3 listed to accept' }).check();
  await page.getByRole('button', { name: 'Accept 3 payments' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept 3 payments' }).click();
  await expect(page.getByText('3 accepted')).toBeVisible();
  await expect(findRow(page, part.name).filter({ hasText: 'Shipped' })).toHaveCount(3);
});

for (const theme of themes) {
  test(
    `the owner's pages are accessible in the ${theme} theme`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      // Four pages for axe to go through, and the questions.
      test.slow();
      await storeTheme(page, theme);
      const { person, order } = await registerCustomerWithOrder(request);
      await payForOrder(request, order);
      await signIn(page, administrator);
      for (const [path, ready] of [
        ['overview', 'Orders by status'],
        ['activity', 'Everything'],
        [`customers/${encodeURIComponent(person.email)}`, 'With us since'],
        [`order/${order.id}`, 'Check again'],
      ] as const) {
        await page.goto(`/dashboard/${path}`);
        await expect(page.getByRole('main').getByText(ready).first()).toBeAttached();
        await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      }
      for (const name of ['Refund', 'accept payment']) {
        await page.getByRole('button', { name, exact: true }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
      }
    },
  );
}
