import { formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { InvoiceLinks } from '#app/orders/money/order-invoices.tsx';
import { getPurchasePath } from '#app/orders/order-path.ts';
import { describeParcels, listParcels } from '#app/orders/purchases/describe-purchase.ts';
import { groupPayments } from '#app/orders/purchases/purchase-payments.tsx';
import { usePayment } from '#app/orders/purchases/use-payment.ts';
import { purchaseQueryOptions, purchaseTrailQueryOptions } from '#app/orders/queries.ts';
import { isInNoParcel } from '#app/orders/states/order-conditions.ts';
import { MoreLines } from '#app/rows/more-lines.tsx';
import { RowBelow, WorkRow, type WorkTableProps } from '#app/rows/work-table.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { formatMoment } from '#app/ui/format-moment.ts';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { listOrderColumns, type OwnColumns, RowFacts } from './order-cells.tsx';
import { getRowKey, isRowOf } from './purchase-cells.tsx';

const FIRST_LINES = 7;

type RowLook = Pick<
  WorkTableProps<Order>,
  'choice' | 'nameRow' | 'isEnded' | 'renderDetail' | 'renderNotice'
>;

/** The lines of a purchase look as the table's own rows. */
interface LineTable extends RowLook, Omit<OwnColumns, 'third'> {
  /** The customer's; null for administrators. */
  email: string | null;
  notices: Pick<RowNotices<Order>, 'has'>;
}

/** How a table of orders opens purchases. A notice within one opens it, too. */
export const openPurchases = (table: LineTable) => ({
  getKey: getRowKey,
  mustOpen: (row: Order) =>
    row.purchase?.row !== undefined && table.notices.has((line) => isRowOf(row, line)),
  renderRows: ({ purchase }: Order) => purchase?.row && <PurchaseRows {...table} purchase={purchase} />,
});

/** What its orders share, then those that differ from the most, then the others by number. */
function PurchaseRows({ purchase, ...table }: LineTable & { purchase: NonNullable<Order['purchase']> }) {
  const { email, notices, ...look } = table;
  const { data: lines, error, refetch } = useQuery(purchaseQueryOptions(String(purchase.number), email));
  const [isWhole, setWhole] = useState(false);
  const parcels = listParcels(lines ?? []);
  const columns = listOrderColumns({
    ...look,
    third: {
      head: 'Parcel',
      cell: (order) => <span className="sub">{describeParcels(order, parcels)}</span>,
    },
    describeLine: () => '',
  });
  const span = columns.length + 1;
  if (!lines) {
    return (
      <RowBelow span={span} className="inside rest">
        {error ? (
          <span role="alert">
            The lines could not be loaded.{' '}
            <button type="button" className="pf-link" onClick={() => refetch()}>
              Try again
            </button>
          </span>
        ) : (
          <LoadingLines count={Math.min(FIRST_LINES, purchase.orders)} />
        )}
      </RowBelow>
    );
  }
  const sizes = new Map([...Map.groupBy(lines, getState)].map(([state, same]) => [state, same.length]));
  const most = Math.max(...sizes.values());
  const isOdd = (line: Order) =>
    notices.has(({ _id }) => _id === line._id) || (sizes.get(getState(line)) ?? 0) < most;
  const sorted = [...lines.filter(isOdd), ...lines.filter((line) => !isOdd(line))];
  const shown = isWhole ? sorted : sorted.slice(0, FIRST_LINES);
  return (
    <>
      <RowBelow span={span} className="inside facts">
        <PurchaseFacts lines={lines} isOwn={email !== null} />
      </RowBelow>
      {shown.map((line) => (
        <WorkRow key={line._id} {...look} columns={columns} row={line} isInside />
      ))}
      <RowBelow span={span} className="inside rest">
        <span>
          <MoreLines left={sorted.length - shown.length} onShow={() => setWhole(true)} />
          <Link className="pf-link font-medium" to={getPurchasePath(purchase.number)}>
            {`Open purchase ${purchase.number}`}
          </Link>
        </span>
      </RowBelow>
    </>
  );
}

const getState = ({ status, closed }: Order): string => closed ?? status;

const LoadingLines = ({ count }: { count: number }) => (
  <>
    <span role="status" className="sr-only">
      Loading…
    </span>
    {Array.from({ length: count }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are alike and never move.
      <span key={line} aria-hidden="true" className="flex h-11 items-center">
        <Skeleton className="h-3.5 w-2/3" />
      </span>
    ))}
  </>
);

const join = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

/** What its orders share; the day of a parcel is the filter's. */
function PurchaseFacts({ lines, isOwn }: { lines: readonly Order[]; isOwn: boolean }) {
  const timeZone = useShopTimeZone();
  const payments = groupPayments(lines);
  const [[paid] = [], ...others] = payments;
  const parcels = listParcels(lines);
  const days = join(parcels.map(({ sentAt }) => formatDay(sentAt, timeZone)));
  const inNone = lines.filter(isInNoParcel).length;
  const rest = inNone > 0 ? `, ${formatCount(inNone, 'line')} in none` : '';
  const [first] = lines;
  const facts = [
    ['Paid', others.length > 0 ? `${payments.length} payments` : paid && <Paid order={paid} isOwn={isOwn} />],
    ['Transaction ID', join(lines.flatMap(({ transactionId }) => transactionId ?? []))],
    ['Invoice', payments.length > 0 && <InvoiceLinks orders={lines} />],
    ['Parcels', parcels.length > 0 && `${parcels.length} on ${days}${rest}`],
    [isOwn ? 'Reference' : 'Deliver to', isOwn ? first?.reference : first?.address],
  ] as const;
  return <RowFacts facts={facts} />;
}

/** Until its time is known, the day of its invoice. */
function Paid({ order, isOwn }: { order: Order; isOwn: boolean }) {
  const { data: trail } = useQuery(purchaseTrailQueryOptions(order._id));
  const { paidAt, card } = usePayment(order, !isOwn, trail);
  const [paper] = order.papers ?? [];
  const at = paidAt ? formatMoment(paidAt) : paper && formatDay(paper.day, 'UTC');
  return <>{[at, card].filter(Boolean).join(', ')}</>;
}
