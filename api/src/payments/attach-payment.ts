import { raisePayAttempt } from '#src/orders/order-money.ts';
import { lockOrders, type OrderRow } from '#src/orders/store.ts';
import { isPayable } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { findOpenPayments, findShares, writeShare } from './store.ts';

/**
 * Writes a payment that was just made to its orders, unless something has happened to one of them meanwhile.
 * @param seen the orders as the payment was made for them
 * @returns `late` when the orders are to be looked at again; `superfluous` when the payment is moreover written to none
 *   of them and never will be, as each of its attempts is over or another payment is open
 */
export function attachPayment(
  { database, clock }: PaymentServices,
  seen: readonly OrderRow[],
  payment: ProviderPayment,
): Promise<'attached' | 'late' | 'superfluous'> {
  const ids = seen.map(({ id }) => id);
  return database.db.transaction(async (tx) => {
    const orders = await lockOrders(tx, ids);
    const isAsSeen =
      orders.length === ids.length &&
      orders.every((order, index) => isPayable(order) && order.payAttempt === seen[index]?.payAttempt);
    const known = await findShares(tx, payment.id);
    if (!isAsSeen) return known.length > 0 ? 'late' : 'superfluous';
    if (known.some(({ state }) => state === 'open')) return 'attached';
    if (known.length > 0) {
      // The provider still answers these attempts with a payment that is over: the next round has a new one.
      for (const { id, payAttempt } of orders) await raisePayAttempt(tx, id, payAttempt);
      return 'late';
    }
    // Another one is open: for other orders with these, or as the provider no longer knew the key.
    if ((await findOpenPayments(tx, ids)).length > 0) return 'superfluous';
    for (const { id, payAttempt, totalCents } of orders) {
      const share = {
        id: payment.id,
        orderId: id,
        attempt: payAttempt,
        amountCents: totalCents,
        paymentCents: payment.amountCents,
        currency: payment.currency,
        state: 'open' as const,
      };
      await writeShare(tx, share, clock.now());
    }
    return 'attached';
  });
}
