import { canMove, type OrderStatus, orderMoves } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { CardPanel } from './card-panel.tsx';
import { OrderSummary } from './order-summary.tsx';
import {
  OrderCancelled,
  PaymentAlreadyDone,
  PaymentProcessing,
  PaymentSucceeded,
} from './payment-result.tsx';
import { paymentProviderQueryOptions } from './queries.ts';
import { usePayment } from './use-payment.ts';

/** The order at the left, its payment at the right: the card form, or what became of it. */
export function PayForOrder({ order }: { order: Order }) {
  const payment = usePayment(order);
  const queries = useQueryClient();
  const paidElsewhere = useReturn(order, payment.attempt);
  const openedUnpaid = useRef(canMove(order.status, 'pay'));
  const { stage } = payment;
  const lookAgain = () => queries.invalidateQueries({ queryKey: ['orders'] });

  let status: OrderStatus = order.status;
  let right: ReactNode;
  if (stage.kind === 'paid') {
    if (canMove(status, 'pay')) status = orderMoves.pay.to;
    right = <PaymentSucceeded order={order} {...stage} />;
  } else if (stage.kind === 'cancelled') {
    right = <OrderCancelled refunded={stage.refunded} />;
  } else if (!canMove(order.status, 'pay')) {
    right = paidElsewhere ? (
      <PaymentSucceeded order={order} transactionId={paidElsewhere} isRecorded requestId={null} />
    ) : (
      <PaymentAlreadyDone order={order} takeFocus={openedUnpaid.current} />
    );
  } else if (stage.kind === 'processing') {
    right = <PaymentProcessing onLook={lookAgain} />;
  } else {
    right = <CardPanel order={order} busy={payment.busy} error={payment.error} attempt={payment.attempt} />;
  }
  return (
    <>
      <PaymentHeading heading={canMove(status, 'pay') ? 'Pay for your order' : 'Payment'} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <OrderSummary order={order} status={status} />
        <section className="pf-panel min-w-0 p-6" aria-label="Payment">
          {right}
        </section>
      </div>
    </>
  );
}

export function PaymentHeading({ heading }: { heading: string }) {
  return (
    <PageHeading
      title="Payment"
      heading={heading}
      above={
        <Link className="pf-link inline-flex min-h-8 items-center gap-1" to="/dashboard/my-orders">
          <Icon of={ChevronLeft} className="size-4" />
          My Orders
        </Link>
      }
    />
  );
}

/**
 * Coming back from the bank's own page the address names the payment: takes it out of the address and asks the
 * provider what became of it. Gives the transaction when the shop knows of it already.
 */
function useReturn(order: Order, attempt: ReturnType<typeof usePayment>['attempt']): string | null {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [{ intent, secret }] = useState(() => ({
    intent: search.get('payment_intent'),
    secret: search.get('payment_intent_client_secret'),
  }));
  const provider = useQuery({
    ...paymentProviderQueryOptions(),
    enabled: secret !== null && canMove(order.status, 'pay'),
  });
  const stripe = provider.data;
  const started = useRef(false);
  useEffect(() => {
    if (secret !== null) void navigate('.', { replace: true, preventScrollReset: true });
  }, [secret, navigate]);
  useEffect(() => {
    if (secret === null || !stripe || started.current) return;
    started.current = true;
    void attempt(() => stripe.retrievePaymentIntent(secret));
  }, [secret, stripe, attempt]);
  return intent !== null && intent === order.transactionId ? intent : null;
}
