import {
  formatAmount,
  formatPieces,
  formatSigned,
  toAmount,
  toCents,
} from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { ReactNode } from 'react';
import { TransactionId } from '#app/orders/money/transaction-id.tsx';
import { isPending } from '#app/orders/states/order-conditions.ts';
import { Fact } from '#app/ui/fact.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Panel } from '#app/ui/panel.tsx';
import { formatGiven } from '#app/ui/signed.ts';

interface OrderPaymentFactsProps {
  order: Order;
  /** From the trail; null when unknown. */
  paidAt: string | null;
}

/** The amount to pay, paid or refunded. */
export function OrderPaymentFacts({ order, paidAt }: OrderPaymentFactsProps) {
  return (
    <Panel heading="Payment">
      {order.transactionId === undefined ? <Unpaid order={order} /> : <Paid order={order} paidAt={paidAt} />}
    </Panel>
  );
}

function Unpaid({ order }: { order: Order }) {
  const isClosed = order.closed !== undefined;
  return (
    <>
      {isClosed ? (
        <p className="mb-4 text-muted">
          {order.closed === 'expired' ? 'This order was not paid in time.' : 'This order was cancelled.'}{' '}
          Nothing was charged; the pieces are back in stock.
        </p>
      ) : (
        order.heldUntil !== undefined && (
          <p className="mb-4 text-muted">
            {formatPieces(order.quantity)} pieces are held for you until{' '}
            <time className="num font-medium text-base-content" dateTime={order.heldUntil}>
              {formatMoment(order.heldUntil)}
            </time>
            . If the order is not paid by then it is cancelled and the pieces go back into stock.
          </p>
        )
      )}
      <dl className="pf-spec [&>div]:!items-center">
        <Fact name="To pay">{formatAmount(isClosed ? 0 : order.totalPrice)}</Fact>
        <Fact name="Transaction ID" className="!font-normal">
          None{isClosed ? '' : ' yet'}
        </Fact>
      </dl>
    </>
  );
}

function Paid({ order, paidAt }: OrderPaymentFactsProps) {
  const { transactionId, totalPrice, refund, disputed, inquiry } = order;
  const goneCents = refund ? toCents(refund.amount) - toCents(refund.unassigned ?? 0) : 0;
  const lost = refund?.lost ?? 0;
  const refunded = toAmount(goneCents - toCents(lost));
  return (
    <>
      <dl className="pf-spec [&>div]:!items-center">
        <Fact name="Paid">{formatAmount(totalPrice)}</Fact>
        {refunded > 0 && <Fact name="Refunded">{formatGiven(refunded)}</Fact>}
        {lost > 0 && <Fact name="Taken back by your bank">{formatGiven(lost)}</Fact>}
        {goneCents > 0 && (
          <Fact name="Balance">{formatSigned(toAmount(toCents(totalPrice) - goneCents))}</Fact>
        )}
        {transactionId !== undefined && (
          <Fact name="Transaction ID" className="!font-normal">
            <TransactionId id={transactionId} />
          </Fact>
        )}
        {paidAt !== null && (
          <Fact name="Paid on" className="!font-normal">
            <time dateTime={paidAt}>{formatMoment(paidAt)}</time>
          </Fact>
        )}
      </dl>
      <Remarks>
        {isPending(order) && <p>Payment received, being confirmed.</p>}
        {disputed && (
          <p>
            {`Your bank ${inquiry ? 'asks about' : 'disputes'} this payment.`}
            {order.closed === undefined && ' The order waits until that is settled.'}
          </p>
        )}
        {order.returned !== undefined && (
          <p>{`${formatAmount(order.returned)} of the refund came back to us. We refund it again.`}</p>
        )}
        {refund && refunded > 0 && <p>{explainRefund(refund)}</p>}
        {refund?.unassigned !== undefined && refund.state !== 'failed' && (
          <p>
            {formatAmount(refund.unassigned)} of the payment was refunded, for this order or for those paid
            with it.
          </p>
        )}
      </Remarks>
    </>
  );
}

function explainRefund({ state, amount, failed = amount }: NonNullable<Order['refund']>): string {
  switch (state) {
    case 'succeeded':
      return 'How soon the card’s bank shows it depends on the bank.';
    case 'pending':
      return 'The refund is on its way to your card.';
    case 'failed':
      return failed < amount
        ? `${formatAmount(failed)} of it has not arrived yet. We retry that until it does.`
        : 'The refund has not arrived yet. We retry it until it does.';
  }
}

function Remarks({ children }: { children: ReactNode }) {
  return (
    <div className="mt-4 grid gap-2 border-t border-base-300 pt-4 text-sm text-muted empty:hidden">
      {children}
    </div>
  );
}
