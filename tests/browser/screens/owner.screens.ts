import { acceptPayment, payForOrder, placeOrder } from '../orders.ts';
import { administrator, signIn } from '../people.ts';
import { findProduct, registerNamed, test } from './screen.ts';

test("pictures the owner's pages", async ({ page, request, take }) => {
  const tomas = await registerNamed(request, 'Tomás Herrera', 'movilcentro.example');
  const order = async (part: string, quantity: number) =>
    placeOrder(request, tomas, await findProduct(request, part), quantity);
  const accepted = await order('battery 4,500', 400);
  await payForOrder(request, accepted);
  await acceptPayment(request, accepted);
  const pending = await order('Mainboard', 60);
  await payForOrder(request, pending);
  await order('OLED display assembly 6.1', 120);
  await signIn(page, administrator, '/dashboard/overview');
  await page.getByText('Orders by status').waitFor();
  await take('admin-overview');
  await page.goto('/dashboard/overview/month');
  await page.getByText('All five agree').waitFor();
  await take('month');
  await page.goto('/dashboard/activity');
  await page.getByText('accepted the payment').first().waitFor();
  await take('activity');
  await page.goto(`/dashboard/customers/${encodeURIComponent(tomas.email)}`);
  await page.getByText('With us since').waitFor();
  await page
    .getByRole('link', { name: /^\d{5}$/ })
    .first()
    .waitFor();
  await take('customers-orders');
  await page.goto(`/dashboard/order/${pending.id}`);
  await page.getByText(/^Visa ending/).waitFor();
  await take('admin-order');
  await page.getByRole('button', { name: 'Refund' }).click();
  await take('admin-order-refund', false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'accept payment' }).click();
  await take('admin-order-accept', false);
});
