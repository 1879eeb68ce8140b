import { formatAmount } from '@parts-forge/contract/money/money';
import type { readOrderPayment } from '@parts-forge/contract/money/payments';
import type { Order } from '@parts-forge/contract/orders/orders';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type * as z from 'zod/mini';
import { describeError, getProblemCode } from '#app/errors/describe-error.ts';
import { describeCard } from '#app/orders/money/describe-card.ts';
import { OrderInvoices } from '#app/orders/money/order-invoices.tsx';
import { TransactionId } from '#app/orders/money/transaction-id.tsx';
import { orderPaymentQueryOptions } from '#app/orders/queries.ts';
import { Fact } from '#app/ui/fact.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';

type Payment = z.output<typeof readOrderPayment.answer>;

/** The provider's current figures, with the time of the request. */
export function ClerkOrderPayment({ order }: { order: Order }) {
  const id = useId();
  const payment = useQuery(orderPaymentQueryOptions(order._id));
  // The customer has not started a payment.
  if (getProblemCode(payment.error) === 'not-found') return null;
  return (
    <section className="pf-panel mt-6" aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-6 pb-4 pt-6">
        <h2 id={id} className="display text-h4">
          Payment
        </h2>
        <AskedAt {...payment} />
      </div>
      {payment.error && (
        <p role="alert" className="border-t border-base-300 px-6 py-4 text-error">
          {describeError(payment.error)}
        </p>
      )}
      {payment.data ? (
        <PaymentFacts payment={payment.data} order={order} />
      ) : (
        !payment.error && <FactsSkeleton />
      )}
    </section>
  );
}

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

type AskedAtProps = Pick<UseQueryResult<Payment>, 'data' | 'isFetching' | 'refetch'>;

/** When the provider was asked, with a refresh button. */
function AskedAt({ data, isFetching, refetch }: AskedAtProps) {
  return (
    <p className="num flex flex-wrap items-center gap-x-3 text-sm text-muted" aria-live="polite">
      {data && `Provider's figures of ${clockTime.format(new Date(data.askedAt))}`}
      <button
        type="button"
        className="pf-link inline-flex min-h-8 cursor-pointer items-center font-medium text-base-content"
        aria-busy={isFetching || undefined}
        onClick={() => refetch()}
      >
        {isFetching ? 'Checking…' : 'Check again'}
      </button>
    </p>
  );
}

/** As high as the loaded facts on one line. */
function FactsSkeleton() {
  return (
    <>
      <dl className="pf-block border-t border-base-300">
        {['Amount', 'Received', 'Refunded', 'Disputed'].map((name) => (
          <Fact key={name} name={name}>
            {'\u00a0'}
          </Fact>
        ))}
      </dl>
      <div className="border-t border-base-300 px-6 py-3">
        <Skeleton className="h-9 w-full" />
      </div>
    </>
  );
}

function PaymentFacts({ payment, order }: { payment: Payment; order: Order }) {
  const { amount, received, refunded, disputed, inquiry } = payment;
  return (
    <>
      <dl className="pf-block border-t border-base-300">
        <Fact name="Amount">{formatAmount(amount)}</Fact>
        <Fact name="Received">{formatAmount(received)}</Fact>
        <Fact name="Refunded">{formatAmount(refunded)}</Fact>
        <Fact name="Disputed" className={disputed ? 'text-error' : undefined}>
          {inquiry ? 'Inquiry' : disputed ? 'Yes' : 'No'}
        </Fact>
      </dl>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2 border-t border-base-300 px-6 py-3 text-sm">
        <PaymentDetails payment={payment} />
        <span className="flex flex-wrap gap-3 sm:ml-auto">
          <OrderInvoices order={order} size="row" />
        </span>
      </div>
    </>
  );
}

function PaymentDetails({ payment }: { payment: Payment }) {
  const { transactionId, orders, share, refundReason, card } = payment;
  return (
    <dl className="grid gap-x-8 gap-y-1 sm:flex sm:flex-wrap sm:items-center">
      <Detail name="Transaction ID">
        <TransactionId id={transactionId} />
      </Detail>
      {orders.length > 1 && (
        <Detail name="This order's share">
          {`${formatAmount(share)}, of ${orders.length} orders paid together`}
        </Detail>
      )}
      {refundReason !== undefined && <Detail name="Reason of the refund">{refundReason}</Detail>}
      {card && <Detail name="Card">{describeCard(card)}</Detail>}
    </dl>
  );
}

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-h-8 items-center gap-3">
    <dt className="shrink-0 text-muted">{name}</dt>
    <dd className="num min-w-0 [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
