import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { answerBank, cardFrame, fillCard, payButton } from './card-form.ts';
import { refuseRequest } from './network.ts';
import { placeOrder, registerCustomerWithOrder } from './orders.ts';
import { register, signIn } from './people.ts';
import { addProduct } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

const success = 'Success: Congrats. Your Payment is completed.';

test('a customer orders, pays by card and reads pending', async ({ page, request }) => {
  const part = await addProduct(request);
  const person = await register(request);
  await signIn(page, person, `/purchase/${part._id}`);
  await page.getByLabel('Purchase Quantity').fill('120');
  await fillDelivery(page);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await page.getByRole('link', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pay for your order' })).toBeVisible();
  await expect(page.getByText('no money moves')).toBeVisible();
  await expect(payButton(page)).toHaveText('Pay $7,740.00');
  await fillCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: success })).toBeFocused();
  await expect(page.getByText('Transaction ID')).toBeVisible();
  await expect(page.getByText(/^pi_/)).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'My Orders' }).last().click();
  await expect(findRow(page, part.name)).toContainText('pending');
  await expect(page.getByRole('link', { name: `Pay for ${part.name}` })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Cancel order of ${part.name}` })).toHaveCount(0);
});

test('two orders are paid with one card and stay selected until then', async ({ page, request }) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  const other = await placeOrder(request, person, part, 60);
  await signIn(page, person, '/dashboard/my-orders');
  const boxes = page.getByRole('checkbox', { name: /^Choose order \d+$/ });
  await expect(boxes).toHaveCount(2);
  for (const box of await boxes.all()) {
    await box.focus();
    await page.keyboard.press('Space');
  }
  const expectAllChosen = async () => {
    await expect(page.getByText('2 chosen')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: /^Choose order/, checked: true })).toHaveCount(2);
  };
  await expectAllChosen();
  // The selection survives visits of an order and of the payment.
  await page
    .getByRole('link', { name: /^\d{5}$/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();
  await page.goBack();
  await expectAllChosen();
  const pay = page.getByRole('link', { name: /^Pay 2 orders, / });
  const payHeading = page.getByRole('heading', { level: 1, name: 'Pay for 2 orders' });
  await pay.press('Enter');
  await expect(payHeading).toBeVisible();
  await page.goBack();
  await expectAllChosen();
  await pay.press('Enter');
  await expect(payHeading).toBeVisible();
  await fillCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: success })).toBeFocused();
  const transaction = String(await page.getByText(/^pi_/).textContent());
  for (const { id } of [order, other]) {
    await page.goto(`/dashboard/order/${id}`);
    await expect(page.getByRole('region', { name: 'Payment' })).toContainText(transaction);
    await expect(page.getByRole('region', { name: 'Progress' })).toContainText('being confirmed');
  }
});

test('another card pays once after an incomplete and a declined one', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  let confirmations = 0;
  page.on('request', (each) => {
    if (each.url().endsWith('/confirm')) confirmations += 1;
  });
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4242');
  await payButton(page).click();
  await expect(page.getByText('Error: Your card number is incomplete.')).toBeVisible();
  expect(confirmations).toBe(0);
  await fillCard(page, '4000 0000 0000 0002');
  const securityCode = cardFrame(page).getByLabel('Security code');
  await securityCode.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Error:' })).toHaveText(
    'Error: Your card was declined.',
  );
  await expect(securityCode).toBeFocused();
  await expectAccessible(page);
  expect(confirmations).toBe(1);
  await fillCard(page, '4242 4242 4242 4242');
  await payButton(page).evaluate((button: HTMLButtonElement) => {
    for (let press = 0; press < 10; press += 1) button.form?.requestSubmit();
  });
  await expect(page.getByText(success)).toBeVisible();
  expect(confirmations).toBe(2);
});

test("a payment needs the bank's consent, and Back skips it", async ({ page, request }) => {
  const { person, part } = await registerCustomerWithOrder(request);
  await signIn(page, person, '/dashboard/my-orders');
  await page.getByRole('link', { name: `Pay for ${part.name}` }).click();
  await fillCard(page, '4000 0027 6000 3184');
  await payButton(page).click();
  await answerBank(page, 'fail');
  await expect(page.getByText(/^Error: We are unable to authenticate your payment method\./)).toBeVisible();
  await payButton(page).click();
  await answerBank(page, 'authorize');
  await expect(page.getByText(success)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/dashboard/my-orders');
  await expect(findRow(page, part.name)).toContainText('pending');
});

test('an unresponsive bank is asked again', { tag: '@full' }, async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4000 0027 6000 3184');
  const bank = '**/sandbox/stripe/challenge/*';
  const failures = page.getByRole('dialog').getByRole('alert');
  const failOnce = () => page.route(bank, (route) => refuseRequest(route, 503, 'unavailable'), { times: 1 });
  await failOnce();
  await payButton(page).click();
  await expect(failures).toContainText('The bank did not answer.');
  await expect(page.locator('iframe[title="Bank challenge"]')).toBeHidden();
  await expectAccessible(page);
  await failures.getByRole('button', { name: 'Try again' }).press('Enter');
  const complete = page
    .frameLocator('iframe[title="Bank challenge"]')
    .getByRole('button', { name: 'Complete' });
  await expect(complete).toBeVisible();
  await expect(failures).toBeEmpty();
  await failOnce();
  await complete.click();
  await expect(failures).toContainText('The bank did not answer.');
  await failures.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(page.getByText(success)).toBeVisible();
});

test('a payment that succeeded in another tab is not charged again', async ({ page, context, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4242 4242 4242 4242');
  const other = await context.newPage();
  await other.goto(`/dashboard/payment/${order.id}`);
  await fillCard(other, '4242 4242 4242 4242');
  await payButton(other).click();
  await expect(other.getByText(success)).toBeVisible();
  await payButton(page).click();
  await expect(page.getByText(success)).toBeVisible();
  const transaction = await other.getByText(/^pi_/).textContent();
  await expect(page.getByText(/^pi_/)).toHaveText(String(transaction));
});
