import { formatAmount } from '@parts-forge/contract/money';
import { countRefundable, type Order } from '@parts-forge/contract/orders';
import { useQuery } from '@tanstack/react-query';
import { describeError, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { orderPaymentQueryOptions } from '#app/orders/queries.ts';
import { Banner } from '#app/ui/banner.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';

/** Refused action, dispute, failed or partial refund. */
export function ClerkOrderWarning({ order, refusal }: { order: Order; refusal: Error | null }) {
  const { disputed, refund, totalPrice, closed } = order;
  return (
    <>
      {refusal && (
        <Banner kind="error" className="mb-6 bg-base-100">
          {describeError(refusal)}
          <Reference id={getRequestId(refusal)} />
        </Banner>
      )}
      {disputed && (
        <Banner kind="error" className="mb-6 bg-base-100" after={<AnswerBy order={order} />}>
          <strong className="font-semibold">The customer's bank disputes {formatAmount(totalPrice)}.</strong>{' '}
          The payment cannot be accepted or given back meanwhile.
        </Banner>
      )}
      {refund?.state === 'failed' && (
        <Banner kind="error" className="mb-6 bg-base-100">
          <strong className="font-semibold">{formatAmount(refund.amount)} could not be given back.</strong>{' '}
          {refund.amount === refund.unassigned
            ? 'Somebody asked for this at the payment provider. The shop does not try it again; all of the payment is still there.'
            : 'It is tried again; look at it with the payment provider.'}
        </Banner>
      )}
      {closed === undefined && !disputed && refund?.state === 'succeeded' && countRefundable(order) > 0 && (
        <Banner kind="info" className="mb-6 bg-base-100">
          {refund.unassigned === undefined
            ? `${formatAmount(refund.amount)} of ${formatAmount(totalPrice)} were given back.`
            : `${formatAmount(refund.unassigned)} of the payment were given back, of this order or of those that were paid with it.`}
          {order.status === 'pending' && ' Accept it despite that, or refund the rest.'}
        </Banner>
      )}
    </>
  );
}

/**
 * After the deadline the bank decides for the customer. It loads late, so it stays outside the alert, which
 * screen readers would repeat.
 */
function AnswerBy({ order: { _id } }: { order: Order }) {
  const { data } = useQuery(orderPaymentQueryOptions(_id));
  const answerBy = data?.answerBy;
  return (
    <p className="num mt-1 max-sm:min-h-12">
      Answer with the payment provider
      {answerBy !== undefined && (
        <>
          {' '}
          until <time dateTime={answerBy}>{formatMoment(answerBy)}</time>
        </>
      )}
      .
    </p>
  );
}
