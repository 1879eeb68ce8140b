import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Person, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, readCode, refundAtProvider } from '#test/paying.ts';
import { loseEvents } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';

let admin: Person;
const shop = useShop();
beforeEach(async () => {
  admin = await signedInAs(shop, 'admin');
  await loseEvents(shop);
});

const total = 1139.43;

describe('the payment of an order at the provider', () => {
  const read = (person: Person, order: Order) => person.get(`/order/${order._id}/payment`);

  test('shows administrators amounts, card and time of reading', async () => {
    const pending = await aPendingOrder(shop);
    await refundAtProvider(shop, pending.id, 100);
    const { status, body } = await read(admin, pending.order);
    expect([status, body]).toEqual([
      200,
      {
        transactionId: pending.id,
        state: 'succeeded',
        orders: [pending.order._id],
        share: total,
        amount: total,
        received: total,
        refunded: 1,
        disputed: false,
        inquiry: false,
        card: { kind: 'visa', last4: '4242' },
        askedAt: expect.any(String),
      },
    ]);
    expect(Math.abs(Date.parse(body.askedAt) - Date.now())).toBeLessThan(10_000);
    expect((await read(pending.customer, pending.order)).status).toBe(403);
  });

  test('has no card while open, and is absent before', async () => {
    const { customer, order } = await aDueOrder(shop);
    expect((await read(admin, order)).status).toBe(404);
    await customer.opensPayment(order);
    const { body } = await read(admin, order);
    expect(body).toMatchObject({
      state: 'requires_payment_method',
      received: 0,
      refunded: 0,
      disputed: false,
    });
    expect(body).not.toHaveProperty('card');
  });

  test("stays readable after the order's end, unless unknown", async () => {
    const pending = await aPendingOrder(shop);
    await admin.refunds(pending.order, { returnStock: true, reason: 'Arrived broken' });
    expect((await read(admin, pending.order)).body).toMatchObject({
      refunded: total,
      refundReason: 'Arrived broken',
    });
    await shop.services.database.db.delete(sandboxObjects).where(eq(sandboxObjects.id, pending.id));
    expect(readCode(await read(admin, pending.order))).toBe('unknown-payment');
  });
});
