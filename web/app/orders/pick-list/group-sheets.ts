import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import type { Order } from '@parts-forge/contract/orders/orders';

/** Orders for one box: the same customer, recipient, address, phone and reference. In the given order. */
export function groupSheets(orders: readonly Order[]): (readonly Order[])[] {
  const byBox = Map.groupBy(orders, ({ email, name, address, phone, reference = '' }) =>
    JSON.stringify([email.toLowerCase(), name, address, phone, reference]),
  );
  return [...byBox.values()];
}

/** Numbers of the purchases that a box is of; empty if an order in it is of none. */
export function listPurchases(orders: readonly Order[]): string {
  const numbers = orders.map(({ purchase }) => purchase?.number);
  return numbers.includes(undefined) ? '' : [...new Set(numbers)].join(', ');
}

/** At most a page of orders, as each slip's order is a call of its own. No box is cut if it can be helped. */
export function takeWholeBoxes(orders: readonly Order[]): readonly Order[] {
  const taken: Order[] = [];
  for (const box of groupSheets(orders)) {
    if (taken.length + box.length <= PAGE_LIMIT) taken.push(...box);
  }
  return taken.length > 0 ? taken : orders.slice(0, PAGE_LIMIT);
}
