import { formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useEffect, useRef } from 'react';
import { isPending } from '#app/orders/states/order-conditions.ts';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import type { RowAcceptance } from './use-acceptance.tsx';

/** Disputed orders have no button, as the API refuses them; the order's own page explains that. */
export const canAcceptInRow = (order: Order): boolean => isPending(order) && !order.disputed;

/** Tells the buttons of one row from those of the others. */
export const nameOrder = (order: Order): string =>
  `${order.productName} by ${order.name}, ${formatPieces(order.quantity)} pieces`;

interface AcceptButtonProps {
  order: Order;
  acceptance: Pick<RowAcceptance, 'accept' | 'acceptingId'>;
}

export function AcceptButton({ order, acceptance }: AcceptButtonProps) {
  return (
    <Button
      kind="line"
      size="row"
      aria-label={`accept payment for ${nameOrder(order)}`}
      disabled={!useOnline()}
      className="min-w-[8.25rem]"
      busy={acceptance.acceptingId === order._id}
      busyLabel="Accepting…"
      onClick={(press) => acceptance.accept(order, press)}
    >
      accept payment
    </Button>
  );
}

/** Replaces the accept button and takes over its focus. */
export function AcceptedNote() {
  const note = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) note.current?.focus({ preventScroll: true });
  }, []);
  return (
    <span ref={note} tabIndex={-1} className="note block py-2 text-sm text-muted outline-none">
      Accepted
    </span>
  );
}
