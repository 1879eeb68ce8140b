import { formatPieces } from '@parts-forge/contract/money';
import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { useEffect, useRef } from 'react';
import { Button } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import type { RowAcceptance } from './use-acceptance.tsx';

/**
 * Whether the payment of a row can be accepted in it. The shop refuses it as long as the customer's bank has not decided.
 * A row has no room to say so; the order's own page does, beside the disabled button.
 */
export const canAcceptInRow = ({ status, closed, disputed }: Order): boolean =>
  closed === undefined && canMove(status, 'accept') && !disputed;

/** The order's part, customer and pieces, which tell its buttons from those of the other rows. */
export const nameOrder = (order: Order): string =>
  `${order.productName} by ${order.name}, ${formatPieces(order.quantity)} pieces`;

interface AcceptButtonProps {
  order: Order;
  acceptance: Pick<RowAcceptance, 'accept' | 'acceptingId'>;
}

export function AcceptButton({ order, acceptance }: AcceptButtonProps) {
  return (
    <Button
      kind="strong"
      size="row"
      aria-label={`accept payment for ${nameOrder(order)}`}
      disabled={!useOnline()}
      className="min-w-[8.75rem]"
      busy={acceptance.acceptingId === order._id}
      busyLabel="Accepting…"
      onClick={(press) => acceptance.accept(order, press)}
    >
      accept payment
    </Button>
  );
}

/** Stands where the button stood; it takes the focus that was on it, so that one goes on from there. */
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
