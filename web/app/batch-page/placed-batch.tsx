import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { formatAmount, formatCents, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { canMove } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { Package } from 'lucide';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { sumOrders, takePayable } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath, getPurchasePath } from '#app/orders/order-path.ts';
import { OrderStatusChip } from '#app/orders/states/order-status-chip.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { barAtFoot } from '#app/ui/bar-at-foot.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import type { Route } from './+types/placed-batch';
import { placedBatchQueryOptions } from './queries.ts';

/** The orders of a batch, payable together. */
export default function PlacedBatch({ params }: Route.ComponentProps) {
  const placed = useQuery(placedBatchQueryOptions(useSignedInUser().email, params.id));
  return (
    <QueryPanel
      query={placed}
      what="Your orders"
      safe="Your orders are safe"
      heading={<PageHeading title="Batch" />}
      skeleton={<WorkSkeleton rows={4} />}
    >
      {(orders) => <PlacedOrders orders={orders} />}
    </QueryPanel>
  );
}

function PlacedOrders({ orders }: { orders: readonly Order[] }) {
  const timeZone = useShopTimeZone();
  const [first] = orders;
  if (!first) return <NothingLeft />;
  const unpaid = orders.filter(({ status }) => canMove(status, 'pay'));
  return (
    <>
      <PageHeading
        title={
          first.purchase
            ? `Order ${first.purchase.number}: ${formatCount(orders.length, 'part')} placed`
            : `${formatCount(orders.length, 'order')} placed`
        }
        above={`Batch of ${formatDay(first.createdAt, timeZone)}${first.reference ? `, ${first.reference}` : ''}`}
        actions={
          first.purchase && (
            <Link className={getButtonClasses('line', 'bar')} to={getPurchasePath(first.purchase.number)}>
              Open the purchase
            </Link>
          )
        }
      />
      {unpaid.length > 0 && <PayPanel unpaid={unpaid} />}
      <PlacedTable orders={orders} />
    </>
  );
}

function PayPanel({ unpaid }: { unpaid: readonly Order[] }) {
  const payable = takePayable(unpaid);
  const isTooMuch = payable.length < unpaid.length;
  const total = formatAmount(sumOrders(payable));
  const [until] = unpaid.flatMap(({ heldUntil }) => heldUntil ?? []).toSorted();
  const what =
    unpaid.length === 1 ? '' : isTooMuch ? ` ${payable.length} of ${unpaid.length} orders,` : ' all,';
  return (
    <section className="pf-panel mb-6" aria-labelledby="pay-heading">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 p-6">
        <div>
          <h2 id="pay-heading" className="display text-h3">
            {until ? `Pay until ${formatMoment(until)}` : 'Pay now or later'}
          </h2>
          <p className="mt-1 text-muted">
            {until
              ? 'The stock is held for you until then. Unpaid pieces then return to the stock.'
              : 'The stock is held for you until you pay.'}
          </p>
          {isTooMuch && (
            <p className="mt-1">
              One payment takes at most {formatCents(MAX_TOTAL_CENTS)}: pay these orders first, then the
              others.
            </p>
          )}
        </div>
        <div data-bottom-bar="fixed" className={`lg:gap-3 ${barAtFoot}`}>
          <span className="max-lg:grid lg:order-1">
            <span className="num text-sm text-muted lg:hidden">
              {formatCount(unpaid.length, 'order')}, unpaid
            </span>
            <Link to="/dashboard/my-orders" className="pf-link font-semibold">
              My Orders
            </Link>
          </span>
          <Link to={getPaymentPath(payable)} className={getButtonClasses('primary', 'action', 'num')}>
            {`Pay${what} ${total}`}
          </Link>
        </div>
      </div>
    </section>
  );
}

function PlacedTable({ orders }: { orders: readonly Order[] }) {
  const columns: Column<Order>[] = [
    {
      head: 'Part',
      cell: ({ image, productName, partNumber }) => (
        <ProductCell image={image} name={productName} under={<span className="num">{partNumber}</span>} />
      ),
    },
    {
      head: 'Order',
      cell: ({ _id, number }) => (
        <Link className="pf-link num inline-flex min-h-6 items-center" to={`/dashboard/order/${_id}`}>
          {number}
        </Link>
      ),
    },
    { head: 'Quantity', right: true, cell: ({ quantity }) => formatPieces(quantity) },
    {
      head: `Total price${orders.every(({ withoutTax }) => withoutTax) ? ' without tax' : ''}`,
      right: true,
      cell: ({ totalPrice }) => formatAmount(totalPrice),
    },
    { head: 'Status', cell: ({ status }) => <OrderStatusChip status={status} /> },
  ];
  return <Table caption="Orders placed" columns={columns} rows={orders} getKey={({ _id }) => _id} />;
}

/** All orders are closed, or another customer's. */
function NothingLeft() {
  return (
    <>
      <PageHeading title="Batch" />
      <Notice
        icon={Package}
        title="These orders have ended"
        action={<PrimaryLink to="/dashboard/my-orders">My Orders</PrimaryLink>}
      >
        They were cancelled, or not paid in time.
      </Notice>
    </>
  );
}
