import { type OrderEvent, readOrderTrail } from '@parts-forge/contract/events/trail';
import { cancelOrder, type Order, readOrder } from '@parts-forge/contract/orders/orders';
import { readProduct } from '@parts-forge/contract/products/products';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const event = (
  name: OrderEvent['event'],
  at: string,
  kind: OrderEvent['by']['kind'] = 'user',
): OrderEvent => ({
  at,
  event: name,
  by: { kind },
});
const ordered = event('ordered', '2026-11-02T09:12:00.000Z');
const paid = event('paid', '2026-11-02T09:18:00.000Z');
const accepted = event('accepted', '2026-11-03T11:40:00.000Z', 'admin');

async function openOrder(order: Order, trail: OrderEvent[] = [ordered], contactEmail?: string) {
  shop.signIn();
  shop.answer(readOrder, order);
  shop.answer(readOrderTrail, { data: trail });
  shop.answer(readProduct, { data: aProduct({ number: 'PF-D6101' }) });
  return openPage(`/dashboard/order/${order._id}`, contactEmail ? { contactEmail } : {});
}
const panel = async (name: string) => within(await screen.findByRole('region', { name }));

test('an unpaid order can be paid and cancelled, and shows its expiry', async () => {
  const heldUntil = new Date(Date.now() + 71.5 * 3_600_000).toISOString();
  const order = anOrder({ heldUntil, reference: 'PO 4711' });
  await openOrder(order);
  expect(await screen.findByRole('heading', { level: 1, name: `Order ${order.number}` })).toBeVisible();
  expectLink('Pay $7,740.00', `/dashboard/payment/${order._id}`);
  expect(screen.getByRole('button', { name: 'Cancel order' })).toBeEnabled();
  const progress = await panel('Progress');
  expect(progress.getByText('unpaid')).toBeVisible();
  expect(await progress.findByText('2 days 23 h left')).toBeVisible();
  const facts = await panel('Order');
  expect(await facts.findByText('PF-D6101')).toBeVisible();
  for (const text of ['120', '$64.50', 'PO 4711', '233302771204', '$7,740.00']) {
    expect(facts.getByText(text)).toBeVisible();
  }
  const payment = await panel('Payment');
  expect(payment.getByText(/^120 pieces are held for you until/)).toBeVisible();
  expect(payment.getByText('None yet')).toBeVisible();
  expect(shop.getRequests(readOrder)[0]?.query.get('closed')).toBe('true');
});

test('an order of a purchase leads to the others', async () => {
  await openOrder(anOrder({ purchase: { number: 10_001, part: 7, orders: 40, total: 900 } }));
  const facts = await panel('Order');
  expectLink('Part 7 of order 10001', '/dashboard/purchase/10001', facts);
});

test('a customer writes to the seller with the number filled in', async () => {
  await openOrder(anOrder({ number: 10415 }), [ordered], 'parts@shop.example');
  expect(await screen.findByRole('link', { name: 'Write to parts@shop.example' })).toHaveAttribute(
    'href',
    'mailto:parts@shop.example?subject=Order%2010415',
  );
});

test('a pending order says its payment was received and is being confirmed', async () => {
  await openOrder(anOrder({ status: 'pending', transactionId: 'pi_12345678' }), [paid, ordered]);
  const payment = await panel('Payment');
  expect(payment.getByText('Payment received, being confirmed.')).toBeVisible();
  expect(payment.getByText('pi_12345678')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Pay/ })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Cancel order' })).not.toBeInTheDocument();
  expect((await panel('Progress')).getByText('being confirmed')).toBeVisible();
});

test('a paid order has an invoice and can be ordered again', async () => {
  await openOrder(anOrder({ status: 'paid', transactionId: 'pi_12345678' }), [accepted, paid, ordered]);
  expect(await screen.findByRole('button', { name: 'Invoice (PDF)' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'Order again' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Credit note (PDF)' })).not.toBeInTheDocument();
});

test('a refunded order has a credit note, a cancelled order nothing', async () => {
  const refund = { amount: 7740, state: 'succeeded', settled: 7740 } as const;
  await openOrder(anOrder({ status: 'pending', closed: 'refunded', transactionId: 'pi_12345678', refund }));
  expect(await screen.findByRole('button', { name: 'Credit note (PDF)' })).toBeEnabled();
  await openOrder(anOrder({ closed: 'cancelled' }));
  expect(await screen.findByText(/^This order was cancelled\./)).toBeVisible();
  expect(screen.queryByRole('button', { name: /PDF/ })).not.toBeInTheDocument();
});

test('a paid order shows its stages and the days between them', async () => {
  await openOrder(anOrder({ status: 'paid', transactionId: 'pi_12345678' }), [accepted, paid, ordered]);
  const progress = await panel('Progress');
  expect(await progress.findByText('Accepted and shipped')).toBeVisible();
  expect(progress.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent)).toEqual([
    'Ordered',
    'Paid',
    'Accepted and shipped',
  ]);
  expect(progress.getByText('1 day 2 h')).toBeVisible();
  expect(progress.queryByText('6 min')).toBeNull();
});

test('a refunded order shows the refund and the balance', async () => {
  const refund = { amount: 7740, state: 'succeeded' } as const;
  const order = anOrder({ status: 'pending', closed: 'refunded', transactionId: 'pi_12345678', refund });
  await openOrder(order, [event('refunded', '2026-11-04T10:12:00.000Z', 'admin'), paid, ordered]);
  expect((await panel('Progress')).getByText('refunded')).toBeVisible();
  const payment = await panel('Payment');
  expect(payment.getByText('−$7,740.00')).toBeVisible();
  expect(payment.getByText('$0.00')).toBeVisible();
  expect(payment.getByText(/depends on the bank/)).toBeVisible();
});

test('a lost dispute is no refund', async () => {
  const refund = { amount: 7740, state: 'succeeded', lost: 7000 } as const;
  const order = anOrder({ status: 'pending', closed: 'refunded', transactionId: 'pi_12345678', refund });
  await openOrder(order, [paid, ordered]);
  expect((await panel('Progress')).getByText('taken back by bank')).toBeVisible();
  const payment = await panel('Payment');
  expect(payment.getByText('Refunded').nextSibling).toHaveTextContent('−$740.00');
  expect(payment.getByText('Taken back by your bank').nextSibling).toHaveTextContent('−$7,000.00');
  expect(payment.getByText('Balance').nextSibling).toHaveTextContent('$0.00');
});

test('a dispute may take more than a refund had left', async () => {
  const refund = { amount: 8000, state: 'succeeded', lost: 7740 } as const;
  const order = anOrder({ status: 'pending', closed: 'refunded', transactionId: 'pi_12345678', refund });
  await openOrder(order, [paid, ordered]);
  const payment = await panel('Payment');
  expect(payment.getByText('Refunded').nextSibling).toHaveTextContent('−$260.00');
  expect(payment.getByText('Balance').nextSibling).toHaveTextContent('−$260.00');
});

test('a part that failed is named beside those that arrived', async () => {
  const refund = { amount: 129, state: 'failed', failed: 64.5, quantity: 2 } as const;
  await openOrder(anOrder({ status: 'paid', transactionId: 'pi_12345678', refund }), [paid, ordered]);
  const payment = await panel('Payment');
  expect(payment.getByText('$64.50 of it has not arrived yet. We retry that until it does.')).toBeVisible();
});

test('a refunded order says that its money came back to the shop', async () => {
  await openOrder(
    anOrder({ status: 'pending', closed: 'refunded', transactionId: 'pi_12345678', returned: 7740 }),
  );
  const payment = await panel('Payment');
  expect(payment.getByText('$7,740.00 of the refund came back to us. We refund it again.')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Credit note (PDF)' })).toBeEnabled();
});

test("an unassigned refund is not shown as this order's refund", async () => {
  const refund = { amount: 70, state: 'succeeded', unassigned: 70 } as const;
  await openOrder(anOrder({ status: 'pending', transactionId: 'pi_12345678', refund }), [paid, ordered]);
  const payment = await panel('Payment');
  expect(payment.getByText(/^\$70\.00 of the payment was refunded/)).toBeVisible();
  expect(payment.queryByText('Refunded')).not.toBeInTheDocument();
});

test.each([
  ['cancelled', 'This order was cancelled. Nothing was charged; the pieces are back in stock.'],
  ['expired', 'This order was not paid in time. Nothing was charged; the pieces are back in stock.'],
] as const)('an order that is %s says so', async (closed, text) => {
  await openOrder(anOrder({ closed }), [event(closed, '2026-11-02T10:00:00.000Z'), ordered]);
  expect((await panel('Payment')).getByText(text)).toBeVisible();
  expect((await panel('Progress')).getByText(closed)).toBeVisible();
  expect(screen.queryByText('unpaid')).not.toBeInTheDocument();
});

test('cancelling asks first, then shows the closed order', async () => {
  const order = anOrder();
  const { user } = await openOrder(order);
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }));
  const question = within(screen.getByRole('dialog', { name: 'Cancel this order?' }));
  shop.answer(cancelOrder, { deletedCount: 1 });
  shop.answer(readOrder, { ...order, closed: 'cancelled' });
  shop.answer(readOrderTrail, { data: [event('cancelled', '2026-11-02T10:00:00.000Z'), ordered] });
  await user.click(question.getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Order Cancel successfully..!')).toBeVisible();
  expect(await screen.findByText(/^This order was cancelled\./)).toBeVisible();
});

test('an order that can no longer be cancelled says why', async () => {
  const order = anOrder();
  const { user } = await openOrder(order);
  await user.click(await screen.findByRole('button', { name: 'Cancel order' }));
  shop.refuse(cancelOrder, 'not-due');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This order has been paid for and cannot be cancelled.',
  );
});

test("an unknown order or another customer's shows the missing-order notice", async () => {
  shop.signIn();
  shop.refuse(readOrder, 'not-found');
  shop.refuse(readOrderTrail, 'not-found');
  await openPage(`/dashboard/order/${anOrder()._id}`);
  expect(await screen.findByText('This order is not there')).toBeVisible();
});

test("parcels link to their carrier's page, if it is known", async () => {
  const shipments = [
    { _id: 'a', carrier: 'UPS', number: '1Z 99', sentAt: '2026-11-03T12:00:00.000Z', quantity: 20 },
    { _id: 'b', carrier: 'Harbour Couriers', number: 'HC-2', sentAt: '2026-11-04T12:00:00.000Z' },
  ];
  await openOrder(anOrder({ status: 'paid', transactionId: 'pi_12345678', shipments }));
  const parcels = await panel('Parcels');
  expectLink('1Z 99', 'https://www.ups.com/track?tracknum=1Z99', parcels);
  expect(parcels.getByText('sent 3 Nov 2026, 20 pieces')).toBeVisible();
  expect(parcels.getByText('HC-2')).toBeVisible();
  expect(parcels.getAllByRole('link')).toHaveLength(1);
  expect(parcels.queryByRole('button')).not.toBeInTheDocument();
});
