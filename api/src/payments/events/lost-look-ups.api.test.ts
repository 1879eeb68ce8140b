import { beforeEach, expect, test } from 'vitest';
import { createMovableClock } from '#test/movable-clock.ts';
import { aDueOrder, confirmCard } from '#test/paying.ts';
import { loseEvents, reconcileLater, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { type PaymentProvider, ProviderError } from '../provider/provider.ts';

const clock = createMovableClock();
const shop = useShop({ clock });
beforeEach(async () => {
  await loseEvents(shop);
});

const nextRound = () => reconcileLater(shop, clock);

test('a look-up that wrongly finds nothing leaves no payable payment', async () => {
  const { customer, order } = await aDueOrder(shop);
  const { clientSecret, id } = await customer.opensPayment(order);
  const { payments } = shop.services;
  let lies = 1;
  const findPayment: PaymentProvider['findPayment'] = async (asked) => {
    lies -= 1;
    return lies >= 0 ? null : payments.findPayment(asked);
  };
  await withProvider(shop, { findPayment }, async () => {
    expect((await customer.cancels(order)).status).toBe(200);
  });
  expect(await payments.findPayment(id)).toMatchObject({ status: 'canceled' });
  expect((await confirmCard(shop, clientSecret)).body.error).toBeDefined();
});

test('a payment found again after a while is cancelled or refunded', async () => {
  const unaware: Partial<PaymentProvider> = {
    findPayment: async () => null,
    cancelPayment: async () => {
      throw new ProviderError('refused', 'no such payment', 'resource_missing');
    },
  };
  const aLostPayment = async () => {
    const { customer, order } = await aDueOrder(shop);
    const opened = await customer.opensPayment(order);
    await withProvider(shop, unaware, async () => {
      expect((await customer.cancels(order)).status).toBe(200);
    });
    return opened;
  };
  const [unpaid, paid] = [await aLostPayment(), await aLostPayment()];
  await confirmCard(shop, paid.clientSecret);
  await nextRound();
  await nextRound();
  const { payments } = shop.services;
  expect(await payments.findPayment(unpaid.id)).toMatchObject({ status: 'canceled' });
  expect(await payments.findPayment(paid.id)).toMatchObject({ refundedCents: 113943 });
});
