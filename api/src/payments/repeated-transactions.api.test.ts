import { beforeAll, expect, test } from 'vitest';
import { aPaidOrder } from '#test/paid-orders.ts';
import { loseEvents, readPayment } from '#test/payment-provider.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { applyClaims } from './refunds/refresh-money.ts';

const lines: string[] = [];
const shop = useShop({ onLine: (line) => lines.push(line) });
const admin = usePerson(shop, 'admin');
beforeAll(() => {
  loseEvents(shop);
});

/** Makes the next commit that changes an order conflict with another transaction, so that it runs again. */
const conflictOnce = () =>
  // A rollback does not reset a sequence.
  shop.pool.query(`
    create sequence conflicts;
    create function raise_conflict() returns trigger language plpgsql as $$
    begin
      if nextval('conflicts') = 1 then raise exception 'in the way' using errcode = '40001'; end if;
      return null;
    end $$;
    create constraint trigger conflict after update on orders deferrable initially deferred
      for each row execute function raise_conflict()`);

test('the refund warning is logged once although its transaction repeats', async () => {
  const { order, id } = await aPaidOrder(shop, admin);
  await conflictOnce();
  const { repeated } = shop.services.database.counts;
  const refund = { id: 're_1', amountCents: 100, state: 'succeeded' as const, refundId: null };
  await applyClaims(shop.services, await readPayment(shop, id), { refunds: [refund], disputes: [] });
  expect(shop.services.database.counts.repeated).toBe(repeated + 1);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /refunded or disputed/.test(msg));
  expect(logged).toMatchObject([{ order: order._id, payment: id, refundCents: 100 }]);
});
