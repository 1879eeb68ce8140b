import type { APIRequestContext } from '@playwright/test';
import { fillCard, payButton } from '../card-form.ts';
import { answerRequests, holdRequests } from '../network.ts';
import {
  acceptPayment,
  cancelOrder,
  type PlacedOrder,
  payForOrder,
  placeOrder,
  refundOrder,
} from '../orders.ts';
import { type Person, signIn } from '../people.ts';
import { findRow, pressInMenu } from '../rows.ts';
import { findProduct, registerNamed, test } from './screen.ts';

test('pictures a known, a requested and an ended session', async ({ page, context, request, take }) => {
  const customer = await registerNamed(request, 'Amara Okafor');
  await signIn(page, customer);
  await page.getByRole('button', { name: 'Amara' }).click();
  await take('landing-account-open', false);
  await page.goto('/dashboard/manage-orders');
  await page.getByText('Need Admin to access the page').waitFor();
  await take('landing-need-admin', false);
  const sessionAddress = '**/identity/get-session';
  const release = await holdRequests(page, sessionAddress);
  await page.goto('/dashboard/my-profile');
  await page.getByRole('button', { name: 'loading' }).waitFor();
  await take('auth-loading');
  release();
  await answerRequests(page, sessionAddress, {}, { status: 503 });
  await page.goto('/dashboard/my-profile');
  await page.getByRole('heading', { name: 'Something went wrong on our side' }).waitFor();
  await take('error');
  await page.unroute(sessionAddress);
  await context.clearCookies();
  await page.goto('/dashboard/my-orders');
  await page.getByText('Your session has ended.').waitFor();
  await take('login-session-ended');
});

test('pictures the profile and a review', async ({ page, context, request, take }) => {
  await signIn(page, await registerNamed(request, 'Amara Okafor'), '/dashboard/my-reviews');
  const review = page.getByLabel('Review', { exact: true });
  const submit = page.getByRole('button', { name: 'Submit review' });
  await submit.click();
  await page.getByText('Review is Required').waitFor();
  await take('add-review-error');
  await review.fill('Batteries are consistent from batch to batch.');
  await page.getByRole('radio', { name: '4.5 of 5 stars' }).check();
  await take('add-review');
  // Other pictures show the home page.
  await answerRequests(page, '**/review', { insertedId: 'none' }, { method: 'POST' });
  await submit.click();
  await page.getByText('Review submitted successfully.').waitFor();
  await take('add-review-done');

  await page.goto('/dashboard/my-profile');
  await page.getByLabel('Education').fill('Diploma in Electronics, Accra Technical University');
  await page.getByLabel('Location').fill('Accra, Ghana');
  await page.getByLabel('Phone').fill('233302771204');
  await page.getByLabel('LinkedIn').fill('https://www.linkedin.com/in/amara-okafor');
  const update = page.getByRole('button', { name: 'Update profile' });
  await update.click();
  await page.getByText('profile updated successfully').waitFor();
  await take('my-profile-saved');
  await page.reload();
  await page.getByRole('link', { name: 'linkedin.com/in/amara-okafor' }).waitFor();
  await take('my-profile');
  await context.clearCookies();
  await page.evaluate(() => localStorage.setItem('accessToken', 'a-token-that-has-run-out'));
  await update.click();
  await page.getByText('No user is logged in').waitFor();
  await take('my-profile-error');
});

test("pictures a customer's orders", async ({ page, context, request, take, isMobile }) => {
  const listAddress = '**/order?*';
  const customer = await registerNamed(request, 'Amara Okafor');
  await signIn(page, customer, '/dashboard/my-orders');
  await page.getByText('No orders yet').waitFor();
  await take('my-orders-empty');
  await severalOrders(request, customer);
  const release = await holdRequests(page, listAddress);
  await page.goto('/dashboard/my-orders');
  await page.getByText('Loading…').waitFor({ state: 'attached' });
  await take('my-orders-loading');
  release();
  await page.getByRole('link', { name: /^Pay for/ }).waitFor();
  await take('my-orders');
  await context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await take('my-orders-offline');
  await context.setOffline(false);
  if (isMobile) {
    await page.getByRole('button', { name: /^Dashboard menu/ }).click();
    await take('my-orders-drawer', false);
    await page.keyboard.press('Escape');
  }
  await pressInMenu(findRow(page, 'unpaid').first(), /^Cancel order of/);
  await take('my-orders-cancel', false);
  await page.getByRole('button', { name: 'Cancel order', exact: true }).click();
  await page.getByText('Order Cancel successfully..!').waitFor();
  await take('my-orders-cancelled', false);
  await page.route(listAddress, (route) => route.abort());
  await page.goto('/dashboard/my-orders');
  await page.getByText('Your orders could not be loaded').waitFor();
  await take('my-orders-error');
});

/** The unpaid one is the newest. */
async function severalOrders(request: APIRequestContext, customer: Person): Promise<void> {
  const order = async (name: string, quantity: number) =>
    placeOrder(request, customer, await findProduct(request, name), quantity);
  const paid = [await order('Linear haptic motor', 500), await order('battery 4,500 mAh', 400)];
  for (const each of paid) {
    await payForOrder(request, each);
    await acceptPayment(request, each);
  }
  await payForOrder(request, await order('USB-C charging port flex', 2000));
  await order('OLED display assembly 6.1 inch', 120);
}

test('pictures paying for an order', async ({ page, request, take }) => {
  const customer = await registerNamed(request, 'Amara Okafor');
  const part = await findProduct(request, 'OLED display assembly 6.1 inch');
  const address = ({ id }: PlacedOrder) => `/dashboard/payment/${id}`;
  const order = await placeOrder(request, customer, part, 120);
  await signIn(page, customer, address(order));
  await fillCard(page, '4000000000000002');
  await take('payment');
  await payButton(page).click();
  await page.getByText('Error: Your card was declined.').waitFor();
  await take('payment-error');
  await fillCard(page, '4242424242424242');
  const release = await holdRequests(page, '**/confirm');
  await payButton(page).click();
  await page.getByRole('button', { name: 'Paying…' }).waitFor();
  await take('payment-busy');
  release();
  await page.getByText('Success: Congrats. Your Payment is completed.').waitFor();
  await take('payment-success');
  await page.goto(address(order));
  await page.getByText('Product Payment Already done').waitFor();
  await take('payment-done');
  const cancelled = await placeOrder(request, customer, part);
  await cancelOrder(request, cancelled);
  await page.goto(address(cancelled));
  await page.getByText('This order is not there').waitFor();
  await take('payment-gone');
});

test('pictures the batch', async ({ page, request, take }) => {
  const person = await registerNamed(request, 'Amara Okafor');
  await signIn(page, person, '/dashboard/batch');
  await page.getByText('No lines yet').waitFor();
  await take('batch-empty');
  const field = page.getByLabel('Lines to add');
  await field.fill('PF-D6101, 50\nPF-B4501, 400\nPF-C2001; 800\nPF-S1801; 400\nPF-H2501; 400\nPF-X0012; 300');
  await page.getByRole('button', { name: 'Add lines' }).click();
  await page.getByText('6 of 6 lines read.').waitFor();
  await page.reload();
  await page.getByLabel('Address').fill('12 Oxford Street, Osu\nAccra, Ghana');
  await page.getByLabel('phone').fill('233302771204');
  await take('batch');
  const speaker = page.getByLabel('Quantity of Loudspeaker module, lower');
  await speaker.fill('100');
  await page.getByRole('button', { name: 'Add lines or a file' }).click();
  await field.fill('PF-D610I, 250\nbatteries 500\nPF-B4501; many');
  await page.getByRole('button', { name: 'Add lines', exact: true }).click();
  await page.getByText('4 to decide').first().waitFor();
  await take('batch-problems');
  await speaker.fill('400');
  await page.getByRole('button', { name: /^Place/ }).click();
  await page.getByRole('heading', { name: '6 parts placed' }).waitFor();
  await take('batch-placed');
});

test('pictures orders in every state, and paying for several', async ({ page, request, take }) => {
  const customer = await registerNamed(request, 'Amara Okafor');
  const part = await findProduct(request, 'OLED display assembly 6.1 inch');
  const open = async ({ id }: PlacedOrder, name: string) => {
    await page.goto(`/dashboard/order/${id}`);
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    await take(name);
  };
  const paid = await placeOrder(request, customer, part, 500);
  await payForOrder(request, paid);
  await signIn(page, customer);
  await open(paid, 'order-pending');
  await acceptPayment(request, paid);
  await open(paid, 'order');
  const refunded = await placeOrder(request, customer, part, 60);
  await payForOrder(request, refunded);
  await refundOrder(request, refunded);
  await open(refunded, 'order-refunded');
  const unpaid = [await placeOrder(request, customer, part), await placeOrder(request, customer, part, 75)];
  await open(unpaid[0] as PlacedOrder, 'order-unpaid');
  await page.goto('/dashboard/my-orders');
  for (const box of [0, 1]) await page.getByRole('checkbox').nth(box).check();
  await take('my-orders-grown');
  await page.getByRole('link', { name: /^Pay 2 orders/ }).click();
  await fillCard(page, '4242424242424242');
  await take('payment-several');
});
