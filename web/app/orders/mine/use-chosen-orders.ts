import { MAX_PAID_TOGETHER } from '@parts-forge/contract/bounds';
import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { useState } from 'react';
import { useDraft } from '#app/forms/use-draft.ts';

/** Unpaid orders selected for one payment. */
export interface ChosenOrders {
  orders: readonly Order[];
  isChosen: (order: Order) => boolean;
  /** Ignored when the selection is full. */
  toggle: (order: Order) => void;
  clear: () => void;
  /** At `MAX_PAID_TOGETHER`. */
  isFull: boolean;
}

/** Only unpaid open orders can be selected. */
export const isPayable = ({ status, closed }: Order): boolean =>
  closed === undefined && canMove(status, 'pay');

/**
 * The selection survives navigation and reloads. Paid and unlisted orders drop out.
 * @param email of the customer
 */
export function useChosenOrders(email: string, listed: readonly Order[]): ChosenOrders {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const orders = listed.filter((order) => ids.has(order._id) && isPayable(order));
  useDraft('chosen-orders', email, {
    // The stored draft would keep paid and closed orders for ever.
    read: () => ({
      ids: [...ids].filter((id) => listed.every((order) => order._id !== id || isPayable(order))),
    }),
    initial: { ids: [] },
    restore: ({ ids: kept }) => setIds(new Set(kept)),
  });
  const isFull = orders.length >= MAX_PAID_TOGETHER;
  return {
    orders,
    isChosen: ({ _id }) => orders.some((order) => order._id === _id),
    toggle: ({ _id }) =>
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(_id) && !isFull) after.add(_id);
        return after;
      }),
    clear: () => setIds(new Set()),
    isFull,
  };
}
