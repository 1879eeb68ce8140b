import type { Order } from '@parts-forge/contract/orders/orders';
import { expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes, sumCredited } from '#src/invoices/store.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import { signedInAgain } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, confirmCard, controlSandbox, readCode, refundAtProvider } from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import {
  createPayment,
  listRefunds,
  reconcileLater,
  refreshPayment,
  useShopWithoutEvents,
  withProvider,
} from '#test/payment-provider.ts';

const { clock, shop, admin } = useShopWithoutEvents();

async function dispute(intent: string, status: string): Promise<void> {
  await controlSandbox(shop, { dispute: { intent, status } });
  await refreshPayment(shop, intent);
}

async function readMoney(order: Order) {
  const { refund, returned = 0 } = await admin.readsClosed(order);
  const credited = sumCredited(await findNotes(shop.db, order._id)) / 100;
  return { refunded: refund?.amount ?? 0, returned, credited };
}

const readProvider = async (intent: string) =>
  (await listRefunds(shop, intent))
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount }) => amount);

const agrees = async () =>
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 0, provider: 0 });

test('a requested refund is paid after its dispute is lost and won', async () => {
  const { id, order } = await aPendingOrder(shop);
  const { createRefund } = shop.services.payments;
  const disputedMeanwhile = async (refund: Parameters<typeof createRefund>[0]) => {
    await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
    return createRefund(refund);
  };
  const answer = await withProvider(shop, { createRefund: disputedMeanwhile }, () => admin.refunds(order));
  expect(answer.body.refund).toMatchObject({ state: 'failed' });
  await dispute(id, 'lost');
  expect(await readMoney(order)).toEqual({ refunded: 1139.43, returned: 0, credited: 1139.43 });
  await dispute(id, 'won');
  clock.aheadMs += 3_600_000;
  await reconcileLater(shop, clock);
  expect(await readProvider(id)).toEqual([113_943]);
  Object.assign(admin, await signedInAgain(shop, admin));
  expect(await readMoney(order)).toEqual({ refunded: 1139.43, returned: 0, credited: 1139.43 });
  await agrees();
});

test('a refund at the provider is not offered for another refund', async () => {
  const { id, orders } = await pendingTogether(shop, 2);
  const refuses = () => Promise.reject(new ProviderError('broken', 'Try later'));
  await refundAtProvider(shop, id, 2000);
  await withProvider(shop, { createRefund: refuses }, async () => {
    for (const order of orders) expect((await admin.refunds(order)).status).toBe(200);
    const { body } = await admin.get('/overview');
    expect(body.returned).toEqual([]);
  });
  for (const order of orders) expect(await readMoney(order)).toMatchObject({ returned: 0 });
});

test('a late payment whose refund a dispute refuses is no error', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { id, clientSecret } = await createPayment(shop, { orderId: order._id });
  await customer.cancels(order);
  await confirmCard(shop, clientSecret);
  await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
  expect(readCode(await customer.records(order, id))).toBe('order-cancelled');
  await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
  clock.aheadMs += 3_600_000;
  await reconcileLater(shop, clock);
  await agrees();
});
