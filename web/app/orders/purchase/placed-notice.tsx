import { formatCents, formatPieces } from '@parts-forge/contract/money';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { getOrderPath, getPaymentPath } from '#app/orders/order-path.ts';
import { lastOrderQueryOptions } from '#app/orders/queries.ts';
import { Banner } from '#app/ui/banner.tsx';
import { getButtonClasses } from '#app/ui/button.tsx';
import { formatMoment } from '#app/ui/format-moment.ts';

export interface PlacedOrder {
  _id: string;
  pieces: number;
  totalCents: number;
}

/** Confirms the order; the form below is empty for the next one. */
export function PlacedNotice({ placed, email }: { placed: PlacedOrder; email: string }) {
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
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link
            to={getPaymentPath([placed])}
            state={{ card: true }}
            className={getButtonClasses('strong', 'row', 'px-5')}
          >
            Pay now
          </Link>
          <Link to={getOrderPath(placed)} className="pf-link whitespace-nowrap font-semibold">
            See the order
          </Link>
          <Link to="/dashboard/my-orders" className="pf-link whitespace-nowrap font-semibold">
            My Orders
          </Link>
        </p>
      </Banner>
      <h3 className="display text-h4">Order more of this part</h3>
      <p className="mb-5 mt-1 text-muted text-sm">The form is empty again, for another order.</p>
    </>
  );
}
