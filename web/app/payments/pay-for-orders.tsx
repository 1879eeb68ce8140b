import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PanelsSkeleton } from '#app/dashboard/query-panel.tsx';
import { takePayable } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { PrintNote } from '#app/placing/print-note.tsx';
import { BackLink } from '#app/ui/back-link.tsx';
import { CardPanel } from './card-panel.tsx';
import { OrderSummary } from './order-summary.tsx';
import { OrdersSummary } from './orders-summary.tsx';
import {
  OneCancelled,
  OrderCancelled,
  PaymentAlreadyDone,
  PaymentProcessing,
  PaymentReplaced,
  PaymentSucceeded,
  SomePaidAlready,
  TooMuchTogether,
} from './payment-result.tsx';
import { paymentProviderQueryOptions, resetOrders } from './queries.ts';
import { usePayment } from './use-payment.ts';

type Orders = readonly [Order, ...Order[]];

export function PayForOrders({ orders }: { orders: Orders }) {
  const payment = usePayment(orders);
  const paidElsewhere = useReturn(orders, payment.attempt);
  const { stage } = payment;
  const [first, ...others] = orders;
  const isPaid = stage.kind === 'paid';
  const isClosed = stage.kind === 'cancelled';
  const status = isPaid && canMove(first.status, 'pay') ? orderMoves.pay.to : first.status;
  return (
    <>
      <PaymentHeading
        title={isPaid || paidElsewhere ? 'Payment completed' : 'Payment'}
        heading={isClosed || !canMove(status, 'pay') ? 'Payment' : nameAll(orders)}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        {others.length > 0 ? (
          <OrdersSummary orders={orders} />
        ) : (
          <OrderSummary order={first} status={isClosed ? null : status} />
        )}
        <section className="pf-panel min-w-0 p-6" aria-label="Payment">
          <PaymentState orders={orders} payment={payment} paidElsewhere={paidElsewhere} />
        </section>
      </div>
    </>
  );
}

interface PaymentStateProps {
  orders: Orders;
  payment: ReturnType<typeof usePayment>;
  /** The transaction that the shop has already recorded. */
  paidElsewhere: string | null;
}

function PaymentState({ orders, payment, paidElsewhere }: PaymentStateProps) {
  const queries = useQueryClient();
  const openedUnpaid = useRef(areDue(orders));
  const { stage, busy, error, attempt, forgetError } = payment;
  const isOne = orders.length === 1;
  if (stage.kind === 'paid') return <PaymentSucceeded orders={orders} {...stage} />;
  if (stage.kind === 'cancelled' && isOne) return <OrderCancelled refunded={stage.refunded} />;
  if (stage.kind === 'cancelled') {
    return <OneCancelled refunded={stage.refunded} onLook={() => void resetOrders(queries, orders)} />;
  }
  if (stage.kind === 'replaced') return <PaymentReplaced onOpen={payment.openAnew} />;
  if (!areDue(orders)) {
    if (paidElsewhere) {
      return <PaymentSucceeded orders={orders} transactionId={paidElsewhere} isRecorded requestId={null} />;
    }
    if (isOne) return <PaymentAlreadyDone order={orders[0]} takeFocus={openedUnpaid.current} />;
    return <SomePaidAlready orders={orders} takeFocus={openedUnpaid.current} />;
  }
  if (stage.kind === 'processing') {
    return <PaymentProcessing onLook={() => queries.invalidateQueries({ queryKey: ['orders'] })} />;
  }
  if (takePayable(orders).length < orders.length) return <TooMuchTogether orders={orders} />;
  return (
    <>
      <PrintNote texts={orders.flatMap(({ name, address }) => [name, address])} className="mb-6" />
      <CardPanel orders={orders} busy={busy} error={error} attempt={attempt} onChange={forgetError} />
    </>
  );
}

const areDue = (orders: readonly Order[]) => orders.every((order) => canMove(order.status, 'pay'));

const nameAll = (orders: readonly Order[]) =>
  orders.length === 1 ? 'Pay for your order' : `Pay for ${orders.length} orders`;

/** @param title of the document */
export function PaymentHeading({ title = 'Payment', heading }: { title?: string; heading: string }) {
  return (
    <PageHeading
      title={title}
      heading={heading}
      above={<BackLink to="/dashboard/my-orders">My Orders</BackLink>}
    />
  );
}

/**
 * After the bank's page, removes the payment from the address and looks it up. Returns the transaction if the
 * shop has recorded it.
 */
function useReturn(orders: Orders, attempt: ReturnType<typeof usePayment>['attempt']): string | null {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [{ intent, secret }] = useState(() => ({
    intent: search.get('payment_intent'),
    secret: search.get('payment_intent_client_secret'),
  }));
  const path = getPaymentPath(orders);
  const provider = useQuery({
    ...paymentProviderQueryOptions(),
    enabled: secret !== null && areDue(orders),
  });
  const stripe = provider.data;
  const started = useRef(false);
  useEffect(() => {
    if (secret !== null) void navigate(path, { replace: true, preventScrollReset: true });
  }, [secret, navigate, path]);
  useEffect(() => {
    if (secret === null || !stripe || started.current) return;
    started.current = true;
    void attempt(() => stripe.retrievePaymentIntent(secret));
  }, [secret, stripe, attempt]);
  return intent !== null && intent === orders[0].transactionId ? intent : null;
}

export const PaymentSkeleton = () => (
  <PanelsSkeleton
    className="items-start xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]"
    heights={['h-[22rem]', 'h-[26rem]']}
  />
);
