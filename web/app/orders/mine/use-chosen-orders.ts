import { MAX_PAID_TOGETHER } from '@parts-forge/contract/bounds';
import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { useState } from 'react';
import { useDraft } from '#app/forms/use-draft.ts';

/** Unpaid orders of a list that are to be paid for together. */
export interface ChosenOrders {
  orders: readonly Order[];
  isChosen: (order: Order) => boolean;
  /** Without effect beyond what one payment may be for. */
  toggle: (order: Order) => void;
  clear: () => void;
  /** No more can be chosen. */
  isFull: boolean;
}

/** Whether the order can be chosen at all: it waits for its payment. */
export const isPayable = ({ status, closed }: Order): boolean =>
  closed === undefined && canMove(status, 'pay');

/**
 * Which of the orders are chosen. The choice stays while one looks at an order and comes back, and over a reload. One
 * that the list shows as paid or does not show any more is left out.
 * @param email of whoever chooses
 */
export function useChosenOrders(email: string, listed: readonly Order[]): ChosenOrders {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const orders = listed.filter((order) => ids.has(order._id) && isPayable(order));
  useDraft('chosen-orders', email, {
    // Whatever was paid for or has ended is done with, and would else be kept for ever.
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
