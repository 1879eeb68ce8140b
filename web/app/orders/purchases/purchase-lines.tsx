import { formatAmount, formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { listOrderColumns } from '#app/orders/list/order-cells.tsx';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { isInNoParcel, isPending } from '#app/orders/states/order-conditions.ts';
import { WorkTable } from '#app/rows/work-table.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { describeParcels, isInTotal, listParcels, type PurchaseProps } from './describe-purchase.ts';

interface PurchaseLinesProps extends PurchaseProps {
  /** The tab in the address. */
  show: string;
  notices: RowNotices<Order>;
}

const places = ['order', 'part', 'qty', 'who', 'sum', 'state'];

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
  const columns = listOrderColumns({
    describeLine: (order) => describeParcels(order, parcels),
    third: { head: 'Each', right: true, cell: ({ price }) => formatAmount(price) },
    action: () => null,
    canSortByTotal: false,
    isForAdmin,
  });
  return (
    <section className="pf-lines min-w-0" aria-label="Lines">
      <Tabs
        label="Lines"
        parameter="show"
        now={shown.value}
        tabs={tabs.map(({ rows, ...tab }) => ({ ...tab, count: rows.length }))}
      />
      <WorkTable
        kind="lines"
        caption="Lines of the purchase"
        rows={shown.rows}
        columns={places.flatMap((place) => columns.filter((column) => column.place === place))}
        nameRow={({ number }) => `order ${number}`}
        isEnded={({ closed }) => closed !== undefined}
        renderNotice={(order) => notices.render(order, `Order ${order.number}`)}
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
