import type { Order } from '@parts-forge/contract/orders';

/** Orders for one box: the same customer, recipient, address, phone and reference. In the given order. */
export function groupSheets(orders: readonly Order[]): (readonly Order[])[] {
  const byBox = Map.groupBy(orders, ({ email, name, address, phone, reference = '' }) =>
    JSON.stringify([email.toLowerCase(), name, address, phone, reference]),
  );
  return [...byBox.values()];
}
