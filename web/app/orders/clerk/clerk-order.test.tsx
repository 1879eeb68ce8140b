import { type OrderEvent, readOrderTrail } from '@parts-forge/contract/events/trail';
import { readOrderPayment, refundOrder } from '@parts-forge/contract/money/payments';
import { removeShipments } from '@parts-forge/contract/orders/order-bulk';
import {
  acceptPayment,
  cancelOrder,
  correctAddress,
  type Order,
  readOrder,
} from '@parts-forge/contract/orders/orders';
import { addShipment } from '@parts-forge/contract/orders/shipments';
import { readUserSummary, type UserSummary } from '@parts-forge/contract/people/users';
import { readProduct } from '@parts-forge/contract/products/products';
import { readDay } from '@parts-forge/contract/text/days';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aPayment, aProduct } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const payment = aPayment();

const listTrail = (order: Order): OrderEvent[] => [
  {
    at: '2026-11-20T10:09:00.000Z',
    event: 'paid',
    by: { kind: 'provider' },
    before: { status: 'due' },
    after: { status: 'pending', amount: 7740 },
  },
  { at: order.createdAt, event: 'ordered', by: { kind: 'user', _id: 'x', name: 'Amara Okafor' }, key: 'ERP' },
];

/** The trail with a last event. */
const endTrail = (order: Order, event: OrderEvent['event']): { data: OrderEvent[] } => ({
  data: [{ at: '2026-11-21T10:00:00.000Z', event, by: { kind: 'admin', _id: 'y' } }, ...listTrail(order)],
});

async function openOrder(wanted: Partial<Order> = {}, figures: Partial<UserSummary> = {}) {
  const order = anOrder({ number: 10415, transactionId: payment.transactionId, ...wanted });
  shop.signIn('admin');
  shop.answer(readOrder, order);
  shop.answer(readOrderPayment, payment);
  shop.answer(readProduct, { data: aProduct({ quantity: 1100 }) });
  const summary = { orders: 14, paid: 61_208, waiting: 0, unpaid: 0, refunded: 0, reviews: [] };
  shop.answer(readUserSummary, { ...summary, ...figures });
  shop.answer(readOrderTrail, { data: listTrail(order) });
  const page = await openPage(`/dashboard/order/${order._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Order 10415' });
  return { order, ...page };
}
const region = (name: string) => within(screen.getByRole('region', { name }));
const buttons = () =>
  ['Cancel order', 'Refund', 'accept payment'].filter((name) => screen.queryByRole('button', { name }));

test('a pending order has payment, part, customer, progress and trail', async () => {
  const { user } = await openOrder({ status: 'pending' });
  expect(await region('Payment').findByText('Visa ending 1881')).toBeVisible();
  expect(region('Payment').getAllByText('$7,740.00')).toHaveLength(2);
  expect(region('Payment').getByText(payment.transactionId)).toBeVisible();
  expect(await region('Order').findByText('1,100')).toBeVisible();
  expect(await region('Customer').findByRole('link', { name: 'Amara Okafor' })).toHaveAttribute(
    'href',
    '/dashboard/customers/amara%40repair.example',
  );
  expect(region('Customer').getByText('14 orders, $61,208.00 paid')).toBeVisible();
  const stages = region('Progress').getAllByRole('listitem');
  expect(stages.map((stage) => stage.dataset.state)).toEqual(['done', 'now', 'open']);
  expect(await region('Trail').findByText('Payment provider')).toBeVisible();
  expect(region('Trail').getAllByRole('listitem')[0]).toHaveTextContent(
    'Payment provider reported the payment: amount $7,740.00',
  );
  expect(region('Trail').getAllByRole('listitem')[1]).toHaveTextContent(
    'Amara Okafor placed the order by key “ERP”',
  );
  expect(buttons()).toEqual(['Refund', 'accept payment']);
  shop.answer(readOrderPayment, { ...payment, refunded: 40 });
  await user.click(region('Payment').getByRole('button', { name: 'Check again' }));
  expect(await region('Payment').findByText('$40.00')).toBeVisible();
});

test('accepting asks for confirmation and shows the accepted order', async () => {
  const { user, order } = await openOrder({ status: 'pending' });
  await user.click(screen.getByRole('button', { name: 'accept payment' }));
  const question = within(screen.getByRole('dialog', { name: 'Accept this payment?' }));
  expect(question.getByRole('button', { name: 'Not yet' })).toHaveFocus();
  shop.answer(acceptPayment, { acknowledged: true });
  shop.answer(readOrder, { ...order, status: 'paid' });
  await user.click(question.getByRole('button', { name: 'accept payment' }));
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  expect(await region('Progress').findByText('Shipped')).toBeVisible();
  expect(buttons()).toEqual(['Refund']);
  expect(shop.getSentBody(acceptPayment)).toEqual({ status: 'paid' });
});

test('a partly refunded order names the amount and can be accepted', async () => {
  const { user } = await openOrder({ status: 'pending', refund: { amount: 40, state: 'succeeded' } });
  expect(screen.getByText(/^\$40\.00 of \$7,740\.00 were refunded\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'accept payment' }));
  const question = within(screen.getByRole('dialog'));
  expect(question.getByText('$40.00 of it were refunded.')).toBeVisible();
  shop.refuse(acceptPayment, 'disputed');
  await user.click(question.getByRole('button', { name: 'accept payment' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('disputes this payment');
  expect(shop.getSentBody(acceptPayment)).toEqual({
    status: 'paid',
    despite: 'partly-refunded',
    refunded: 40,
  });
});

test('an unassigned refund is named, and the full order stays refundable', async () => {
  const refund = { amount: 9000, state: 'succeeded', unassigned: 9000 } as const;
  const { user } = await openOrder({ status: 'pending', refund });
  expect(
    screen.getByText(/^\$9,000\.00 of the payment were refunded, for this order or for those paid with it\./),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Refund' }));
  const question = within(screen.getByRole('dialog'));
  expect(question.getByRole('button', { name: 'Refund $7,740.00' })).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Keep as it is' }));
  await user.click(screen.getByRole('button', { name: 'accept payment' }));
  expect(
    within(screen.getByRole('dialog')).getByText('$9,000.00 of its payment were refunded.'),
  ).toBeVisible();
});

test('a payment that awaits acceptance counts as paid', async () => {
  await openOrder({ status: 'pending' }, { orders: 2, paid: 100.5, waiting: 7740 });
  expect(await region('Customer').findByText('2 orders, $7,840.50 paid')).toBeVisible();
});

test("the customer's email and phone are links", async () => {
  await openOrder({ email: 'amara+1@repair.example', phone: '233302771204' });
  const links = within(region('Customer').getByText('233302771204').closest('section') as HTMLElement)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toEqual(expect.arrayContaining(['mailto:amara%2B1%40repair.example', 'tel:233302771204']));
});

test('a disputed order allows no action', async () => {
  await openOrder({ status: 'pending', disputed: true });
  expect(screen.getByRole('alert')).toHaveTextContent("The customer's bank disputes $7,740.00.");
  expect(screen.getByText('Answer at the payment provider.')).toBeVisible();
  expect(buttons()).toEqual(['accept payment']);
  expect(screen.getByRole('button', { name: 'accept payment' })).toBeDisabled();
});

test('an inquiry can be settled by a refund', async () => {
  await openOrder({ status: 'pending', disputed: true, inquiry: true });
  expect(screen.getByRole('alert')).toHaveTextContent("The customer's bank asks about $7,740.00.");
  expect(screen.getByRole('button', { name: 'Refund' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'accept payment' })).toBeDisabled();
});

test('money that came back for a refunded order can be refunded again', async () => {
  const { user } = await openOrder({ status: 'pending', closed: 'refunded', returned: 7740 });
  expect(screen.getByRole('alert')).toHaveTextContent('$7,740.00 came back after this order was refunded.');
  expect(buttons()).toEqual(['Refund']);
  await user.click(screen.getByRole('button', { name: 'Refund' }));
  const question = within(screen.getByRole('dialog', { name: 'Refund of order 10415' }));
  expect(question.getByRole('button', { name: 'Refund $7,740.00' })).toBeVisible();
  expect(question.queryByRole('checkbox')).toBeNull();
});

test('a dispute shows its deadline', async () => {
  shop.signIn('admin');
  const order = anOrder({
    status: 'pending',
    disputed: true,
    transactionId: payment.transactionId,
  });
  shop.answer(readOrder, order);
  const answerBy = new Date(2026, 11, 3, 18).toISOString();
  shop.answer(readOrderPayment, { ...payment, disputed: true, inquiry: false, answerBy });
  shop.answer(readProduct, { data: aProduct() });
  shop.answer(readUserSummary, { orders: 1, paid: 0, waiting: 0, unpaid: 0, refunded: 0, reviews: [] });
  shop.answer(readOrderTrail, { data: listTrail(order) });
  await openPage(`/dashboard/order/${order._id}`);
  const date = await screen.findByText('3 Dec 2026, 18:00');
  expect(date.parentElement).toHaveTextContent('Answer at the payment provider until 3 Dec 2026, 18:00.');
  // A late change in the alert would interrupt screen readers again.
  expect(screen.getByRole('alert')).not.toContainElement(date);
});

test('cancelling an unpaid order asks first; the order has no payment', async () => {
  const { user, order } = await openOrder({ status: 'due', heldUntil: '2099-01-01T00:00:00.000Z' });
  expect(screen.queryByRole('region', { name: 'Payment' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  const question = within(screen.getByRole('dialog', { name: 'Cancel this order?' }));
  shop.answer(cancelOrder, { deletedCount: 1 });
  shop.answer(readOrder, { ...order, closed: 'cancelled' });
  shop.answer(readOrderTrail, endTrail(order, 'cancelled'));
  await user.click(question.getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Order Cancel successfully..!')).toBeVisible();
  expect(await region('Progress').findByText('Cancelled by Parts Forge')).toBeVisible();
  expect(buttons()).toEqual([]);
});

test('a refund sends a reason and returns pieces to stock', async () => {
  const { user, order } = await openOrder({ status: 'pending' });
  await user.click(screen.getByRole('button', { name: 'Refund' }));
  const question = within(screen.getByRole('dialog', { name: 'Refund of order 10415' }));
  await user.type(question.getByLabelText('Reason (optional)'), 'Not available any more');
  const refund = { amount: 7740, state: 'pending' } as const;
  shop.answer(refundOrder, { acknowledged: true, refund });
  shop.answer(readOrder, { ...order, closed: 'refunded', refund });
  shop.answer(readOrderTrail, endTrail(order, 'refunded'));
  await user.click(question.getByRole('button', { name: 'Refund $7,740.00' }));
  expect(await screen.findByText('Order refunded')).toBeVisible();
  expect(shop.getSentBody(refundOrder)).toEqual({ returnStock: true, reason: 'Not available any more' });
  expect(await region('Progress').findByText('Refunded')).toBeVisible();
});

test('a missing order shows an error', async () => {
  shop.signIn('admin');
  shop.refuse(readOrder, 'not-found');
  shop.refuse(readOrderTrail, 'not-found');
  await openPage('/dashboard/order/01a1fe55-4eaf-7194-bacc-000000000001');
  expect(await screen.findByRole('alert')).toHaveTextContent('The order could not be loaded');
});

test('the reason for a refund appears with the payment', async () => {
  const order = anOrder({ status: 'pending', closed: 'refunded', transactionId: payment.transactionId });
  shop.signIn('admin');
  shop.answer(readOrder, order);
  shop.answer(readOrderPayment, { ...payment, refundReason: 'Arrived broken' });
  shop.answer(readProduct, { data: aProduct() });
  shop.answer(readUserSummary, { orders: 1, paid: 0, waiting: 0, unpaid: 0, refunded: 1, reviews: [] });
  shop.answer(readOrderTrail, endTrail(order, 'refunded'));
  await openPage(`/dashboard/order/${order._id}`);
  expect(await screen.findByText('Arrived broken')).toBeVisible();
});

const parcel = { _id: 'p1', carrier: 'DHL', number: '0034', sentAt: '2026-11-21T00:00:00.000Z' };

test('a parcel is added with its carrier, number, day and pieces', async () => {
  const { user, order } = await openOrder({ status: 'paid' });
  expect(region('Parcels').getByText('120 of 120 pieces are to be sent.')).toBeVisible();
  await user.click(region('Parcels').getByRole('button', { name: 'Add parcel' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Add parcel' }));
  expect(dialog.getByLabelText('Date sent')).toHaveValue(readDay(new Date(), 'UTC'));
  shop.refuse(addShipment, 'invalid', { errors: [{ path: 'number', message: 'number is Required' }] });
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  expect(await dialog.findByText('number is Required')).toBeVisible();
  expect(dialog.getByLabelText('Parcel number')).toHaveFocus();

  await user.type(dialog.getByLabelText('Carrier'), 'DHL');
  await user.type(dialog.getByLabelText('Parcel number'), '0034');
  await user.clear(dialog.getByLabelText('Date sent'));
  await user.type(dialog.getByLabelText('Date sent'), '2026-11-21');
  await user.type(dialog.getByLabelText('Pieces in it (optional)'), '1,000');
  shop.refuse(addShipment, 'more-than-left', { detail: '0 of 120 pieces are to be sent: 120 went back' });
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  expect(await dialog.findByText(/120 went back/)).toBeVisible();
  shop.answer(addShipment, { data: parcel });
  shop.answer(readOrder, { ...order, shipments: [parcel] });
  await user.click(dialog.getByRole('button', { name: 'Add it all the same' }));
  expect(await region('Parcels').findByRole('link', { name: '0034' })).toBeVisible();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(shop.getRequests(addShipment).map(({ body }) => body)).toEqual([
    { carrier: '', number: '', sentAt: expect.any(String) },
    { carrier: 'DHL', number: '0034', sentAt: '2026-11-21T00:00:00.000Z', quantity: 1000 },
    expect.objectContaining({ number: '0034', despite: 'more-than-left' }),
  ]);
});

test('a parcel is removed after a question', async () => {
  const { user, order } = await openOrder({ status: 'paid', shipments: [parcel] });
  await user.click(region('Parcels').getByRole('button', { name: 'Remove DHL 0034' }));
  shop.answer(removeShipments, { data: [{ id: order._id, ok: true }] });
  shop.answer(readOrder, { ...order, shipments: undefined });
  await user.click(screen.getByRole('button', { name: 'Remove parcel' }));
  expect(await region('Parcels').findByText('120 of 120 pieces are to be sent.')).toBeVisible();
  expect(shop.getSentBody(removeShipments)).toEqual({ ids: [order._id], carrier: 'DHL', number: '0034' });
});

test('an accepted order alone has a panel of parcels', async () => {
  await openOrder({ status: 'pending' });
  expect(screen.queryByRole('region', { name: 'Parcels' })).not.toBeInTheDocument();
});

test('an address is changed until the payment is accepted', async () => {
  const { user, order } = await openOrder({ status: 'pending' });
  await user.click(region('Customer').getByRole('button', { name: 'Change address' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Change address' }));
  const field = dialog.getByLabelText('Deliver to');
  expect(field).toHaveFocus();
  expect(field).toHaveValue(order.address);
  await user.clear(field);
  await user.type(field, '3 Quay Street{Enter}Tema');
  shop.answer(correctAddress, { acknowledged: true });
  shop.answer(readOrder, { ...order, status: 'paid', address: '3 Quay Street\nTema' });
  await user.click(dialog.getByRole('button', { name: 'Save address' }));
  expect(await region('Customer').findByText(/^3 Quay Street/)).toBeVisible();
  expect(shop.getRequests(correctAddress)[0]?.body).toEqual({ address: '3 Quay Street\nTema' });
  expect(screen.queryByRole('button', { name: 'Change address' })).not.toBeInTheDocument();
});
