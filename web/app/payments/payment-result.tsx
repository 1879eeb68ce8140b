import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { formatAmount, formatCents } from '@parts-forge/contract/money/money';
import { canMove, statusLabel } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Ban, Check, CircleAlert, Clock, type IconNode, RefreshCw } from 'lucide';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { Reference } from '#app/errors/reference.tsx';
import { sumOrders, takePayable } from '#app/orders/money/sum-orders.ts';
import { TransactionId } from '#app/orders/money/transaction-id.tsx';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { PENDING_NOTE } from '#app/orders/states/pending-note.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { usePageSettings } from '#app/ui/shop.tsx';
import type { PaidStage } from './use-payment.ts';

interface ResultProps {
  icon: IconNode;
  /** `done` is the filled green disc of a new payment. */
  tone: 'done' | 'success' | 'calm';
  heading: string;
  children: ReactNode;
  /** Set when the result replaces the form that had the focus. */
  takeFocus: boolean;
}

const discs = {
  done: 'bg-success text-success-content',
  success: 'border border-base-300 text-success',
  calm: 'border border-base-300 text-muted',
};

function Result({ icon, tone, heading, children, takeFocus }: ResultProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takeFocus) title.current?.focus();
  }, [takeFocus]);
  return (
    <div role={takeFocus ? 'status' : undefined} className="grid justify-items-start gap-3">
      <span className={`grid size-14 place-items-center rounded-full ${discs[tone]}`}>
        <Icon of={icon} className="size-7" />
      </span>
      <h2
        ref={title}
        tabIndex={-1}
        className={`display text-h3 outline-none ${tone === 'done' ? 'text-success' : ''}`}
      >
        {heading}
      </h2>
      {children}
    </div>
  );
}

const toMyOrders = (
  <Link to="/dashboard/my-orders" className={getButtonClasses('primary', 'action', 'mt-3 max-sm:w-full')}>
    My Orders
  </Link>
);

interface PaymentSucceededProps extends Omit<PaidStage, 'kind'> {
  orders: readonly Order[];
}

export function PaymentSucceeded({ orders, transactionId, isRecorded, requestId }: PaymentSucceededProps) {
  return (
    <Result
      icon={isRecorded ? Check : Clock}
      tone={isRecorded ? 'done' : 'calm'}
      heading={isRecorded ? messages.paymentSucceeded : 'Your payment was received and is being recorded'}
      takeFocus
    >
      {!isRecorded && (
        <p className="text-muted">
          The shop did not answer, but it learns of the payment from the provider. Do not pay again;{' '}
          {orders.length === 1 ? 'your order shows' : 'your orders show'} it within a minute or two.
          <Reference id={requestId} />
        </p>
      )}
      <dl className="pf-spec w-full border-b border-base-300">
        <Fact name="Transaction ID">
          <TransactionId id={transactionId} />
        </Fact>
        <Fact name="Paid">{formatAmount(sumOrders(orders))}</Fact>
      </dl>
      {isRecorded && <NextSteps orders={orders} />}
      {toMyOrders}
    </Result>
  );
}

function NextSteps({ orders }: { orders: readonly Order[] }) {
  const { mail } = usePageSettings();
  const [first] = orders;
  if (!first) return null;
  const ids = orders.map(({ _id }) => _id);
  // Orders of one purchase share their invoice.
  const invoices = new Set(orders.map(({ _id, purchase }) => purchase?.number ?? _id)).size;
  return (
    <>
      <p className="text-muted">
        The shop confirms the payment and then ships{mail && '; you get a mail of each step'}. There is
        nothing left for you to do.
      </p>
      <DownloadButton
        file={
          orders.length === 1
            ? { what: 'invoice', order: first._id }
            : { what: 'invoices', orders: ids, as: 'pdf' }
        }
      >
        {invoices === 1 ? 'Invoice (PDF)' : 'Invoices (PDF)'}
      </DownloadButton>
    </>
  );
}

/** See specification §4, "Payment page". */
export function PaymentAlreadyDone({ order, takeFocus }: { order: Order; takeFocus: boolean }) {
  return (
    <Result icon={Check} tone="success" heading={messages.paymentAlreadyDone} takeFocus={takeFocus}>
      <p className="text-muted">
        {order.status === 'pending' && `${PENDING_NOTE} `}
        This order is <span className="font-medium text-base-content">{statusLabel(order.status)}</span>. You
        see its progress in your orders.
      </p>
      {toMyOrders}
    </Result>
  );
}

/** The orders that are still due remain payable. */
export function SomePaidAlready({ orders, takeFocus }: { orders: readonly Order[]; takeFocus: boolean }) {
  const due = orders.filter(({ status }) => canMove(status, 'pay'));
  if (due.length === 0) {
    return (
      <Result icon={Check} tone="success" heading={messages.paymentAlreadyDone} takeFocus={takeFocus}>
        <p className="text-muted">All of these orders are paid for. You see their progress in your orders.</p>
        {toMyOrders}
      </Result>
    );
  }
  const paid = orders.length - due.length;
  return (
    <Result icon={CircleAlert} tone="calm" heading="Some of these orders are paid for" takeFocus={takeFocus}>
      <p className="text-muted">
        {paid === 1 ? 'One of them is' : `${paid} of them are`} paid for already. Nothing was charged here.
      </p>
      <Link to={getPaymentPath(due)} className={getButtonClasses('primary', 'action', 'mt-3')}>
        Pay for {due.length === 1 ? 'the other order' : `the other ${due.length} orders`}
      </Link>
    </Result>
  );
}

/** The sum exceeds one payment's limit. */
export function TooMuchTogether({ orders }: { orders: readonly Order[] }) {
  const payable = takePayable(orders);
  return (
    <Result icon={CircleAlert} tone="calm" heading="Too much for one payment" takeFocus={false}>
      <p className="text-muted">
        One payment takes at most {formatCents(MAX_TOTAL_CENTS)}. Pay some of these orders first, then the
        others.
      </p>
      <Link to={getPaymentPath(payable)} className={getButtonClasses('primary', 'action', 'mt-3')}>
        Pay {payable.length} of {orders.length} orders, {formatAmount(sumOrders(payable))}
      </Link>
    </Result>
  );
}

/** By another page that opened a payment for some of the orders, or after many declined cards. */
export function PaymentReplaced({ onOpen }: { onOpen: () => void }) {
  return (
    <Result icon={RefreshCw} tone="calm" heading="This payment was closed" takeFocus>
      <p className="text-muted">
        Another page has opened a payment for the same order, or too many cards were declined. Nothing was
        charged here. Enter the card again.
      </p>
      <Button kind="line" className="mt-3" onClick={onOpen}>
        Pay here
      </Button>
    </Result>
  );
}

export function OrderCancelled({ refunded }: { refunded: boolean }) {
  return (
    <Result icon={Ban} tone="calm" heading="This order was cancelled" takeFocus>
      <p className="text-muted">
        {refunded
          ? 'Your payment went through after that and is refunded in full.'
          : 'Nothing was charged. The parts are back in stock and can be ordered again.'}
      </p>
      {toMyOrders}
    </Result>
  );
}

export function OneCancelled({ refunded, onLook }: { refunded: boolean; onLook: () => void }) {
  return (
    <Result icon={Ban} tone="calm" heading="One of these orders was cancelled" takeFocus>
      <p className="text-muted">
        {refunded
          ? 'Your payment went through after that; the price of the order is refunded, and the others are paid.'
          : 'Nothing was charged. The others are unpaid as before.'}
      </p>
      <Button kind="line" className="mt-3" onClick={onLook}>
        Look again
      </Button>
    </Result>
  );
}

export function PaymentProcessing({ onLook }: { onLook: () => void }) {
  return (
    <Result icon={Clock} tone="calm" heading="Your payment is being processed" takeFocus>
      <p className="text-muted">
        The provider has it and has not decided yet. Do not pay again; your order shows the result.
      </p>
      <Button kind="line" className="mt-3" onClick={onLook}>
        Look again
      </Button>
    </Result>
  );
}
