import { formatAmount } from '@parts-forge/contract/money/money';
import { countRefundable, type Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { describeError, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { orderPaymentQueryOptions } from '#app/orders/queries.ts';
import { Banner } from '#app/ui/banner.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';

/** Refused action, dispute, failed or partial refund, or one that came back. */
export function ClerkOrderWarning({ order, refusal }: { order: Order; refusal: Error | null }) {
  const { disputed, inquiry, returned, refund, totalPrice, closed } = order;
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
          <strong className="font-semibold">
            {`The customer's bank ${inquiry ? 'asks about' : 'disputes'} ${formatAmount(totalPrice)}.`}
          </strong>{' '}
          {inquiry
            ? 'It has taken no money yet. A refund settles that; until it ends, the payment cannot be accepted.'
            : 'Until the dispute ends, the payment cannot be accepted or refunded.'}
        </Banner>
      )}
      {returned !== undefined && (
        <Banner kind="error" className="mb-6 bg-base-100">
          <strong className="font-semibold">
            {`${formatAmount(returned)} came back after this order was refunded.`}
          </strong>{' '}
          The customer has neither the parts nor this money: refund it again.
        </Banner>
      )}
      {refund?.state === 'failed' && (
        <Banner kind="error" className="mb-6 bg-base-100">
          <strong className="font-semibold">
            {formatAmount(refund.failed ?? refund.amount)} could not be refunded.
          </strong>{' '}
          {refund.amount === refund.unassigned
            ? 'This refund was requested at the payment provider. The shop does not retry it; the whole payment is still there.'
            : 'The shop retries it; check it at the payment provider.'}
        </Banner>
      )}
      {closed === undefined && !disputed && refund?.state === 'succeeded' && countRefundable(order) > 0 && (
        <Banner kind="info" className="mb-6 bg-base-100">
          {refund.unassigned === undefined
            ? `${formatAmount(refund.amount)} of ${formatAmount(totalPrice)} were refunded.`
            : `${formatAmount(refund.unassigned)} of the payment were refunded, for this order or for those paid with it.`}
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
      Answer at the payment provider
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
