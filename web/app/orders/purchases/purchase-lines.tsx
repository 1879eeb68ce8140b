import { messages } from '@parts-forge/contract/calls/messages';
import { formatAmount, formatCount, formatPieces } from '@parts-forge/contract/money/money';
import { statusLabel } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Link } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { describeMoney } from '#app/orders/money/order-money.tsx';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { getOrderPath } from '#app/orders/order-path.ts';
import { WorkTable } from '#app/rows/work-table.tsx';
import { StatusChip } from '#app/ui/status-chip.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { isInNoParcel, isInTotal, isPending, listParcels, type PurchaseProps } from './describe-purchase.ts';

interface PurchaseLinesProps extends PurchaseProps {
  /** The tab in the address. */
  show: string;
  notices: RowNotices<Order>;
}

/** The orders, each a line that leads to its page; a refused one says why. */
export function PurchaseLines({ isForAdmin, show, notices, ...purchase }: PurchaseLinesProps) {
  const orders: readonly Order[] = purchase.orders;
  const parcels = listParcels(orders);
  const tabs = [
    { value: '', name: 'All lines', rows: orders },
    { value: 'pending', name: 'pending', rows: orders.filter(isPending) },
    { value: 'no-parcel', name: 'in no parcel', rows: orders.filter(isInNoParcel) },
  ];
  const shown = tabs.find(({ value }) => value === show) ?? { value: '', rows: orders };
  const counted = shown.rows.filter(isInTotal);
  const pieces = counted.reduce((sum, { quantity }) => sum + quantity, 0);
  const describeParcels = (order: Order) => {
    const own = parcels.flatMap((parcel, at) => (parcel.orders.includes(order) ? [at + 1] : []));
    if (own.length > 0) return `, ${own.length === 1 ? 'parcel' : 'parcels'} ${own.join(', ')}`;
    return isInNoParcel(order) ? ', in no parcel' : '';
  };
  return (
    <section className="pf-lines min-w-0" aria-label="Lines">
      <div className="pt-4">
        <Tabs
          label="Lines"
          parameter="show"
          now={shown.value}
          tabs={tabs.map(({ rows, ...tab }) => ({ ...tab, count: rows.length }))}
        />
      </div>
      <WorkTable
        kind="lines"
        caption="Lines of the purchase"
        rows={shown.rows}
        nameRow={({ number }) => `order ${number}`}
        isEnded={({ closed }) => closed !== undefined}
        renderNotice={(order) => notices.render(order, `Order ${order.number}`)}
        columns={[
          {
            head: 'Order',
            place: 'order',
            cell: (order) => (
              <Link className="pf-link num" to={getOrderPath(order)}>
                {order.number}
              </Link>
            ),
          },
          {
            head: 'Part',
            place: 'part',
            cell: (order) => (
              <span>
                <span>
                  <span className="line" dir="auto" title={order.productName}>
                    {order.productName}
                  </span>
                  <span className="num sub">
                    {order.partNumber}
                    {describeParcels(order)}
                  </span>
                </span>
              </span>
            ),
          },
          { head: 'Pieces', place: 'qty', right: true, cell: ({ quantity }) => formatPieces(quantity) },
          { head: 'Each', place: 'each', right: true, cell: ({ price }) => formatAmount(price) },
          {
            head: 'Total price',
            place: 'sum',
            right: true,
            cell: ({ totalPrice }) => formatAmount(totalPrice),
          },
          {
            head: 'Status',
            place: 'state',
            cell: (order) => <LineState order={order} isForAdmin={isForAdmin} />,
          },
        ]}
      />
      <p className="num mt-3 flex flex-wrap justify-between gap-x-6 text-sm font-semibold">
        <span>
          {formatCount(counted.length, 'line')}, {formatCount(pieces, 'piece')}
        </span>
        <span>{formatAmount(sumOrders(counted))}</span>
      </p>
    </section>
  );
}

/** For administrators a paid order is 'Shipped' (specification §4). */
function LineState({ order, isForAdmin }: { order: Order; isForAdmin: boolean }) {
  const { status, closed } = order;
  const shown = closed ?? (isForAdmin && status === 'paid' ? messages.shipped : statusLabel(status));
  const money = closed === undefined && describeMoney(order)?.text;
  return (
    <span className="min-w-0">
      <StatusChip status={shown} />
      {money && (
        <span className="sub" title={money}>
          {money}
        </span>
      )}
    </span>
  );
}
