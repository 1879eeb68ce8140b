import { messages } from '@parts-forge/contract/calls/messages';
import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import { canRefund, type Order } from '@parts-forge/contract/orders/orders';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { getSlipsPath } from '#app/orders/pick-list/pick-list-filter.ts';
import { useAcceptPayment } from '#app/orders/queries.ts';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useOnline } from '#app/ui/use-online.ts';
import { useQuestion } from '#app/ui/use-question.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { useRefundQuestion } from './refund-dialog.tsx';

/** An administrator's actions; each opens a dialog. */
export interface ClerkActions {
  accept: () => void;
  cancel: () => void;
  refund: () => void;
  dialog: ReactNode;
  /** Error of the last action; null for none. */
  refusal: Error | null;
}

export function useClerkActions(order: Order): ClerkActions {
  const [refusal, setRefusal] = useState<Error | null>(null);
  const refuse = (_order: Order, error: Error) => setRefusal(error);
  const cancellation = useCancelQuestion(refuse, 'everybodys');
  const refund = useRefundQuestion(refuse);
  const acceptance = useAcceptQuestion(setRefusal);
  const begin = (ask: (order: Order) => void) => () => {
    setRefusal(null);
    ask(order);
  };
  return {
    accept: begin(acceptance.ask),
    cancel: begin(cancellation.ask),
    refund: begin(refund.ask),
    dialog: (
      <>
        {acceptance.dialog}
        {cancellation.dialog}
        {refund.dialog}
      </>
    ),
    refusal,
  };
}

function useAcceptQuestion(onRefused: (error: Error) => void) {
  const acceptance = useAcceptPayment();
  return useQuestion((order: Order, close) => (
    <AcceptDialog
      order={order}
      busy={acceptance.isPending}
      onClose={close}
      onConfirm={() =>
        acceptance.mutate(order, {
          onSuccess: () => toast('success', messages.paymentAccepted),
          onError: onRefused,
          onSettled: close,
        })
      }
    />
  ));
}

/** The buttons beside the heading. */
export function ClerkOrderActions({ order, actions }: { order: Order; actions: ClerkActions }) {
  const online = useOnline();
  const isOpen = order.closed === undefined;
  if (!isOpen && !canRefund(order)) return null;
  const look = 'bg-base-100 max-sm:flex-1';
  return (
    <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
      {isOpen && canMove(order.status, 'cancel') && (
        <Button kind="danger-line" size="bar" className={look} disabled={!online} onClick={actions.cancel}>
          Cancel order
        </Button>
      )}
      {canRefund(order) && (
        <Button kind="danger-line" size="bar" className={look} disabled={!online} onClick={actions.refund}>
          Refund
        </Button>
      )}
      {isOpen && order.status === orderMoves.accept.to && (
        <Link className={getButtonClasses('line', 'bar', look)} to={getSlipsPath([order._id])}>
          Packing slip
        </Link>
      )}
      {isOpen && canMove(order.status, 'accept') && (
        <Button
          kind="primary"
          size="bar"
          className="px-5 max-sm:flex-1"
          disabled={!online || order.disputed}
          onClick={actions.accept}
        >
          accept payment
        </Button>
      )}
    </div>
  );
}
