import { expect } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  onPhoneWhenLight,
  storeTheme,
  themes,
} from './accessibility.ts';
import { answerBank, cardFrame, fillCard, payButton } from './card-form.ts';
import { refuseRequest } from './network.ts';
import {
  cancelOrder,
  confirmPayment,
  payForOrder,
  placeOrder,
  readOrderStatus,
  registerCustomerWithOrder,
} from './orders.ts';
import { authorize, register, signIn } from './people.ts';
import { addProduct, readStock } from './products.ts';
import { fillDelivery } from './purchase.ts';
import { test } from './recorded-test.ts';
import { findRow } from './rows.ts';

const success = 'Success: Congrats. Your Payment is completed.';

test('a customer orders a part, pays by card and reads pending in My Orders', { tag: '@phone' }, async ({
  page,
  request,
}) => {
  const part = await addProduct(request);
  const person = await register(request);
  await signIn(page, person, `/purchase/${part._id}`);
  await page.getByLabel('Purchase Quantity').fill('120');
  await fillDelivery(page);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(page.getByText('Order placed successfully')).toBeVisible();
  await page.goto('/dashboard/my-orders');
  await expect(findRow(page, part.name)).toContainText('unpaid');
  await page.getByRole('link', { name: `Pay for ${part.name}` }).click();
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
  await expect(findRow(page, part.name)).toContainText('Payment received, being confirmed');
  await expect(page.getByRole('link', { name: `Pay for ${part.name}` })).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Cancel order of ${part.name}` })).toHaveCount(0);
});

test('two orders are paid for with one card, and the pages of both show their way', {
  tag: '@phone',
}, async ({ page, request }) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  const other = await placeOrder(request, person, part, 60);
  await signIn(page, person, '/dashboard/my-orders');
  const boxes = page.getByRole('checkbox', { name: /^Choose order \d+ to pay$/ });
  await expect(boxes).toHaveCount(2);
  for (const box of await boxes.all()) {
    await box.focus();
    await page.keyboard.press('Space');
  }
  const expectAllChosen = async () => {
    await expect(page.getByText('2 unpaid orders chosen')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: /^Choose order/, checked: true })).toHaveCount(2);
  };
  await expectAllChosen();
  await expectAccessible(page);
  // They stay chosen while one looks at an order, and at the payment, and comes back.
  await page.getByRole('link', { name: part.name, exact: true }).first().click();
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
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: success })).toBeFocused();
  const transaction = String(await page.getByText(/^pi_/).textContent());
  for (const { id } of [order, other]) {
    await page.goto(`/dashboard/order/${id}`);
    await expect(page.getByRole('region', { name: 'Payment' })).toContainText(transaction);
    await expect(page.getByRole('region', { name: 'Progress' })).toContainText('being confirmed');
  }
});

test("a declined card shows 'Error: Your card was declined.', and another card pays the same order", async ({
  page,
  request,
}) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4000 0000 0000 0002');
  const securityCode = cardFrame(page).getByLabel('Security code');
  await securityCode.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Error:' })).toHaveText(
    'Error: Your card was declined.',
  );
  await expect(securityCode).toBeFocused();
  await expectAccessible(page);
  await fillCard(page, '4242 4242 4242 4242');
  await payButton(page).click();
  await expect(page.getByText(success)).toBeVisible();
});

test('an incomplete card is refused before anything is sent', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  let confirmations = 0;
  page.on('request', (each) => {
    if (each.url().endsWith('/confirm')) confirmations += 1;
  });
  await fillCard(page, '4242');
  await payButton(page).click();
  await expect(page.getByText('Error: Your card number is incomplete.')).toBeVisible();
  expect(confirmations).toBe(0);
});

test('pressing Pay many times pays once', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  let confirmations = 0;
  page.on('request', (each) => {
    if (each.url().endsWith('/confirm')) confirmations += 1;
  });
  await fillCard(page, '4242 4242 4242 4242');
  await payButton(page).evaluate((button: HTMLButtonElement) => {
    for (let press = 0; press < 10; press += 1) button.form?.requestSubmit();
  });
  await expect(page.getByText(success)).toBeVisible();
  expect(confirmations).toBe(1);
});

test('the bank asks: confirmed it pays, refused it does not', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4000 0027 6000 3184');
  await payButton(page).click();
  await answerBank(page, 'fail');
  await expect(page.getByText(/^Error: We are unable to authenticate your payment method\./)).toBeVisible();
  await payButton(page).click();
  await answerBank(page, 'authorize');
  await expect(page.getByText(success)).toBeVisible();
});

test('a bank that does not answer says so, and is asked again', async ({ page, request }) => {
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

test('after a payment Back leads where one came from, whether the bank has asked or not', async ({
  page,
  request,
}) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  await placeOrder(request, person, part, 60);
  await signIn(page, person, '/dashboard/my-orders');
  for (const card of ['4242 4242 4242 4242', '4000 0027 6000 3184']) {
    await page
      .getByRole('link', { name: `Pay for ${part.name}` })
      .last()
      .click();
    await fillCard(page, card);
    await payButton(page).click();
    if (card.endsWith('3184')) await answerBank(page, 'authorize');
    await expect(page.getByRole('heading', { name: success })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/dashboard/my-orders');
    await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  }
  await expect.poll(() => readOrderStatus(request, order)).toBe('pending');
});

test("an order that is not due shows 'Product Payment Already done' instead of the card form", async ({
  page,
  request,
}) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await payForOrder(request, order);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await expect(page.getByText('Product Payment Already done')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await expect(page.getByTitle('Secure payment input frame')).toHaveCount(0);
  await expectAccessible(page);
});

test('a payment that went through in another tab is success in this one too', async ({
  page,
  context,
  request,
}) => {
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

test('an order that was cancelled while its card was being typed is not charged', async ({
  page,
  request,
}) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4242 4242 4242 4242');
  await cancelOrder(request, order);
  await payButton(page).click();
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeFocused();
  expect(await readStock(request, part._id)).toBe(part.quantity);
});

test('a payment that the shop cannot be told of is never an error: it was received and is being recorded', async ({
  page,
  request,
}) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await fillCard(page, '4242 4242 4242 4242');
  let tries = 0;
  await page.route(`**/order/${order.id}`, (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    tries += 1;
    return route.abort('connectionreset');
  });
  await payButton(page).click();
  await expect(page.getByText('Your payment was received and is being recorded')).toBeVisible();
  await expect(page.getByText(/^Error:/)).toHaveCount(0);
  await expect(page.getByText(/^pi_/)).toBeVisible();
  expect(tries).toBe(3);
  // The provider tells the shop by itself.
  await expect.poll(() => readOrderStatus(request, order)).toBe('pending');
  await page.goto('/dashboard/my-orders');
  await expect(findRow(page, part.name)).toContainText('pending');
});

test("coming back from the bank's own page records the payment and cleans the address", async ({
  page,
  request,
}) => {
  const { person, part, order } = await registerCustomerWithOrder(request);
  const payment = await request.post('/create-payment-intent', {
    headers: authorize(order.token),
    data: { price: part.price * part.minimumOrder, order: order.id },
  });
  const { clientSecret } = await payment.json();
  const transactionId = await confirmPayment(request, clientSecret);
  await signIn(page, person);
  await page.goto(
    `/dashboard/payment/${order.id}?payment_intent=${transactionId}&payment_intent_client_secret=${clientSecret}&redirect_status=succeeded`,
  );
  await expect(page.getByText(success)).toBeVisible();
  await expect(page.getByText(transactionId)).toBeVisible();
  await expect(page).toHaveURL(`/dashboard/payment/${order.id}`);
});

test('a card form that cannot be loaded can be asked for again', async ({ page, request }) => {
  const { person, order } = await registerCustomerWithOrder(request);
  await page.route('**/sandbox/stripe/stripe.js', (route) => route.abort(), { times: 1 });
  await signIn(page, person, `/dashboard/payment/${order.id}`);
  await expect(page.getByText('The card form could not be loaded.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await fillCard(page, '4242 4242 4242 4242');
  await expect(payButton(page)).toBeEnabled();
});

test("somebody else's order cannot be seen or paid", async ({ page, request }) => {
  const { order } = await registerCustomerWithOrder(request);
  await signIn(page, await register(request), `/dashboard/payment/${order.id}`);
  await expect(page.getByText('This order is not there')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
});

for (const theme of themes) {
  test(
    `the customer's pages are accessible in the ${theme} theme`,
    onPhoneWhenLight(theme),
    async ({ page, request }) => {
      // Six pages for axe to go through.
      test.slow();
      await storeTheme(page, theme);
      const { person, part, order } = await registerCustomerWithOrder(request);
      await signIn(page, person, '/dashboard/my-orders');
      await expect(findRow(page, part.name)).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.getByRole('button', { name: /^Cancel order of/ }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectAccessible(page);
      await page.goto(`/dashboard/order/${order.id}`);
      await expect(page.getByRole('heading', { name: 'Progress' })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.goto('/dashboard/my-profile');
      await expect(page.getByLabel('Education')).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.goto('/dashboard/my-reviews');
      await expect(page.getByLabel('Review', { exact: true })).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.goto(`/dashboard/payment/${order.id}`);
      await fillCard(page, '4242 4242 4242 4242');
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await payButton(page).click();
      await expect(page.getByText(success)).toBeVisible();
      await expectAccessible(page);
    },
  );
}
