import type { OrderEvent } from '@parts-forge/contract/events/trail';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { toParcelKey } from '@parts-forge/contract/orders/carriers';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import { countInNoParcel, isInNoParcel } from '#app/orders/states/order-conditions.ts';
import type { Stage } from '#app/orders/states/order-stages.ts';

/** By number; all of one customer. */
export type PurchasedOrders = readonly [Order, ...Order[]];

export interface PurchaseProps {
  orders: PurchasedOrders;
  isForAdmin: boolean;
}

/** Cancelled and expired lines leave the total. */
export const isInTotal = ({ closed }: Order): boolean => closed === undefined || closed === 'refunded';

/** A parcel with the lines that it has, by carrier and number. */
export interface SharedParcel extends Shipment {
  orders: readonly Order[];
}

/** In the order of their adding to the first line that has them. */
export function listParcels(orders: readonly Order[]): SharedParcel[] {
  const each = orders.flatMap((order) => (order.shipments ?? []).map((parcel) => ({ order, parcel })));
  const byNumber = Map.groupBy(each, ({ parcel }) => toParcelKey(`${parcel.carrier} ${parcel.number}`));
  return [...byNumber.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { quantity: _, ...parcel } = first.parcel;
    return [{ ...parcel, orders: [...new Set(same.map(({ order }) => order))] }];
  });
}

/** Such as `parcel 1` or `parcels 1, 2, 20 in none`, by their places in `parcels`; empty for an ended line in none. */
export function describeParcels(order: Order, parcels: readonly SharedParcel[]): string {
  const places = parcels.flatMap(({ orders }, at) =>
    orders.some(({ _id }) => _id === order._id) ? at + 1 : [],
  );
  const left = countInNoParcel(order);
  if (places.length === 0) return left > 0 ? 'in no parcel' : '';
  const all = `${places.length === 1 ? 'parcel' : 'parcels'} ${places.join(', ')}`;
  return left > 0 ? `${all}, ${formatPieces(left)} in none` : all;
}

/** Ended lines do not count. @param trail newest first; null while unknown */
export function listPurchaseStages(
  orders: PurchasedOrders,
  trail: readonly OrderEvent[] | null,
): readonly Stage[] {
  const live = orders.filter(({ closed }) => closed === undefined);
  const ordered: Stage = { name: 'Ordered', state: 'done', at: orders[0].createdAt };
  if (live.length === 0) return [ordered, { name: 'Ended', state: 'done' }];
  const count = (isDone: (order: Order) => boolean) => live.filter(isDone).length;
  const counts = [
    ['Paid', 'paid', count(({ status }) => status !== 'due')],
    ['Accepted', 'accepted', count(({ status }) => status === 'paid')],
    ['Sent', 'parcel-sent', count((order) => order.status === 'paid' && !isInNoParcel(order))],
  ] as const;
  const now = counts.find(([, , done]) => done < live.length);
  const parcels = listParcels(orders).length;
  const stages = counts.map((each): Stage => {
    const [name, event, done] = each;
    const isPart = done > 0 && done < live.length;
    const at = done > 0 && trail?.find((entry) => entry.event === event)?.at;
    return {
      name: isPart ? `${done} of ${live.length} ${name.toLowerCase()}` : name,
      state: each === now ? 'now' : done === live.length ? 'done' : 'open',
      ...(at && { at }),
      ...(name === 'Sent' && parcels > 0 && { note: formatCount(parcels, 'parcel') }),
    };
  });
  return [ordered, ...stages];
}
