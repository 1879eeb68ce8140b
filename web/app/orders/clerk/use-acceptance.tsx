import { messages } from '@parts-forge/contract/calls/messages';
import { canMove } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { type MouseEvent, useRef, useState } from 'react';
import { putBack } from '#app/dashboard/put-back.ts';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useAcceptPayment } from '#app/orders/queries.ts';
import { isPending } from '#app/orders/states/order-conditions.ts';
import { toast } from '#app/ui/toast.tsx';
import { AcceptDialog } from './accept-dialog.tsx';
import { useAcceptMany } from './use-accept-many.ts';

/** A press at the same place within this time was meant for the previous row. */
const SLIP_MS = 1000;
/** Distance in pixels that counts as the same place. */
const SLIP_PX = 24;

/**
 * Accepts payments singly or as a selection. Accepted orders keep their row until the filter changes; refused
 * ones show a notice.
 * @param filter key of the list's filter
 */
export function useAcceptance(notices: RowNotices<Order>, filter: string) {
  const { keep, ...marked } = useAcceptedOrders(filter);
  const mutation = useAcceptPayment();
  const [asked, setAsked] = useState<Order | null>(null);
  const isSlip = useSlipGuard();
  const many = useAcceptMany({
    onAccepted: keep,
    onRefused: notices.addOneOfMany,
  });
  const acceptNow = (order: Order) =>
    mutation.mutate(order, {
      onSuccess: () => {
        keep(order);
        toast('success', messages.paymentAccepted);
      },
      onError: (error) => notices.add(order, error),
      onSettled: () => setAsked(null),
    });
  const accept = (order: Order, press: MouseEvent) => {
    if (mutation.isPending || many.isRunning || isSlip(press)) return;
    // After a partial refund less than the order's price is left, so ask first.
    if (order.refund !== undefined && order.refund.state !== 'failed') setAsked(order);
    else acceptNow(order);
  };
  return {
    accept,
    /** The open dialog; null for none. */
    dialog: asked && (
      <AcceptDialog
        order={asked}
        busy={mutation.isPending}
        onClose={() => setAsked(null)}
        onConfirm={() => acceptNow(asked)}
      />
    ),
    acceptingId: mutation.isPending ? mutation.variables._id : null,
    many,
    ...marked,
  };
}

function useAcceptedOrders(filter: string) {
  const [accepted, setAccepted] = useState<ReadonlyMap<string, Order>>(new Map());
  const [lastFilter, setLastFilter] = useState(filter);
  if (lastFilter !== filter) {
    setLastFilter(filter);
    setAccepted(new Map());
  }
  return {
    /** Not for an order of a purchase, whose row already shows the new state. */
    keep: (order: Order) =>
      order.purchase === undefined &&
      setAccepted((before) => new Map(before).set(order._id, { ...order, status: 'paid' })),
    isAccepted: ({ _id }: Order) => accepted.has(_id),
    withAccepted: (orders: readonly Order[]) => {
      const listed = orders.map((order) =>
        accepted.has(order._id) && canMove(order.status, 'accept')
          ? { ...order, status: 'paid' as const }
          : order,
      );
      return putBack(listed, accepted.values());
    },
  };
}

export type Acceptance = ReturnType<typeof useAcceptance>;
/** The part that a row needs. */
export type RowAcceptance = Pick<Acceptance, 'accept' | 'acceptingId' | 'isAccepted'>;

/** Partly refunded orders are confirmed one by one. */
export const isAcceptable = (order: Order): boolean =>
  isPending(order) && !order.disputed && order.refund === undefined;

/** Detects a second press at the same place within `SLIP_MS`. Keyboard presses always count. */
function useSlipGuard() {
  const last = useRef({ at: Number.NEGATIVE_INFINITY, x: 0, y: 0 });
  return ({ detail, clientX: x, clientY: y, timeStamp: at }: MouseEvent): boolean => {
    if (detail === 0) return false;
    const { current: before } = last;
    const isNear = Math.abs(x - before.x) < SLIP_PX && Math.abs(y - before.y) < SLIP_PX;
    if (detail > 1 || (isNear && at - before.at < SLIP_MS)) return true;
    last.current = { at, x, y };
    return false;
  };
}
