import { formatCents, formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { getOrderPath, getPaymentPath } from '#app/orders/order-path.ts';
import { lastOrderQueryOptions } from '#app/placing/use-delivery.ts';
import { Banner } from '#app/ui/banner.tsx';
import { barAtFoot } from '#app/ui/bar-at-foot.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Fact } from '#app/ui/fact.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';

export interface PlacedOrder {
  _id: string;
  pieces: number;
  totalCents: number;
}

interface PlacedNoticeProps {
  placed: PlacedOrder;
  email: string;
  /** Shows a narrow window's form again. */
  onMore: () => void;
}

/** Confirms the order; the form is empty for the next one. */
export function PlacedNotice({ placed, email, onMore }: PlacedNoticeProps) {
  // Placing refetches the newest order, whose number the response lacks.
  const { data: newest } = useQuery({ ...lastOrderQueryOptions(email), refetchOnMount: false });
  const order = newest?._id === placed._id ? newest : undefined;
  const { number, heldUntil } = order ?? {};
  return (
    <>
      <Banner kind="info" className="mb-6">
        <p className="num">
          <strong className="font-semibold">
            {number === undefined ? 'Your order is placed.' : `Order ${number} is placed.`}
          </strong>{' '}
          {formatPieces(placed.pieces)} pieces ordered. It waits for your payment of{' '}
          {formatCents(placed.totalCents)}
          {heldUntil !== undefined && (
            <>
              {' '}
              until <time dateTime={heldUntil}>{formatMoment(heldUntil)}</time>; the pieces go back into stock
              then
            </>
          )}
          .
        </p>
        {order && <PlacedFacts placed={placed} order={order} />}
        <PayBar placed={placed} number={number} />
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link to={getOrderPath(placed)} className="pf-link whitespace-nowrap font-semibold">
            See the order
          </Link>
          <button
            type="button"
            className="pf-link whitespace-nowrap font-semibold lg:hidden"
            onClick={onMore}
          >
            Order more of this part
          </button>
        </p>
      </Banner>
      <h3 className="display text-h4 max-lg:hidden">Order more of this part</h3>
      <p className="mb-5 mt-1 text-muted text-sm max-lg:hidden">
        The form is empty again, for another order.
      </p>
    </>
  );
}

const PlacedFacts = ({ placed, order }: { placed: PlacedOrder; order: Order }) => (
  <dl className="pf-spec num mt-3 lg:hidden">
    <Fact name="Total price">{formatCents(placed.totalCents)}</Fact>
    <Fact name="Address" className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">
      {order.address}
    </Fact>
    <Fact name="phone">{order.phone}</Fact>
  </dl>
);

function PayBar({ placed, number }: { placed: PlacedOrder; number: number | undefined }) {
  return (
    <p data-bottom-bar="fixed" className={`num mt-3 max-lg:flex-nowrap lg:justify-start ${barAtFoot}`}>
      <span className="max-lg:grid lg:order-1">
        <span className="text-sm text-muted lg:hidden">
          {number === undefined ? 'unpaid' : `Order ${number}, unpaid`}
        </span>
        <Link to="/dashboard/my-orders" className="pf-link justify-self-start font-semibold">
          Pay later
        </Link>
      </span>
      <Link
        to={getPaymentPath([placed])}
        state={{ card: true }}
        className={getButtonClasses('primary', 'action', 'shrink-0 px-5')}
      >
        Pay {formatCents(placed.totalCents)}
      </Link>
    </p>
  );
}
