import { raisePayAttempt } from '#src/orders/order-money.ts';
import { lockOrders, type OrderRow } from '#src/orders/store.ts';
import { type Actor, actAs } from '#src/platform/http/calls/access.ts';
import { isPayable } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { findOpenPayments, findShares, toShare, writeShare } from './store.ts';

/**
 * `late`: an order has changed, read them again. `superfluous`: also cancel the payment, as it will never
 * be stored.
 * @throws Problem as `Actor.confirm`; the payment stays open at the provider, and nobody has its secret
 */
export function attachPayment(
  { changes, clock }: PaymentServices,
  customer: Actor,
  seen: readonly OrderRow[],
  payment: ProviderPayment,
): Promise<'attached' | 'late' | 'superfluous'> {
  const ids = seen.map(({ id }) => id);
  return actAs(changes, customer, async (tx) => {
    const orders = await lockOrders(tx, ids);
    const isAsSeen =
      orders.length === ids.length &&
      orders.every((order, index) => isPayable(order) && order.payAttempt === seen[index]?.payAttempt);
    const known = await findShares(tx, payment.id);
    if (!isAsSeen) return known.length > 0 ? 'late' : 'superfluous';
    if (known.some(({ state }) => state === 'open')) return 'attached';
    if (known.length > 0) {
      // The old key still returns a finished payment; a new attempt has a new key.
      for (const { id, payAttempt } of orders) await raisePayAttempt(tx, id, payAttempt);
      return 'late';
    }
    // For an overlapping set of orders, or the provider forgot the key.
    if ((await findOpenPayments(tx, ids)).length > 0) return 'superfluous';
    for (const order of orders)
      await writeShare(tx, { ...toShare(payment, order, orders), state: 'open' }, clock.now());
    return 'attached';
  });
}
