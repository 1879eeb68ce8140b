import { messages } from '@parts-forge/contract/messages';
import { statusLabel } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { ClipboardList } from 'lucide';
import { Link, useSearchParams } from 'react-router';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { EndedOrdersNote } from '#app/orders/ended-orders-note.tsx';
import {
  type OrderFilter,
  readOrderFilter,
  type ShownOrders,
  toOrderQuery,
} from '#app/orders/order-filter.ts';
import { OrderStatusFilter } from '#app/orders/order-status-filter.tsx';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { useOrderList } from '#app/orders/use-order-list.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { AcceptMany } from './accept-many.tsx';
import { ManageOrdersTable } from './manage-orders-table.tsx';
import { useAcceptance } from './use-acceptance.tsx';
import { useRefundQuestion } from './use-refund-question.tsx';

/** Administrators' list of all orders, with search and filter in the address. */
export function ManageOrders() {
  const [search] = useSearchParams();
  const [q, setQ] = useSearchText();
  const filter = readOrderFilter(search, 'status');
  const orders = useOrderList(filter, allOrdersQueryOptions);
  return (
    <>
      <PageHeading title="Manage All Orders" heading="All Orders" />
      {/* A row of its own, because the toast covers the top right beside the heading. */}
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <SearchField label="Search orders" value={q} onSearch={setQ} />
        <OrderStatusFilter parameter="status" nameStatus={nameStatus} />
        <OrderInvoices filter={orders.shown} />
      </div>
      <OrderList orders={orders} isFiltered={filter.q !== '' || filter.show !== null} />
    </>
  );
}

function OrderInvoices({ filter }: { filter: OrderFilter }) {
  return (
    <>
      <DownloadButton
        file={{ what: 'orders', filters: toOrderQuery(filter) }}
        className="whitespace-nowrap max-sm:flex-1"
      >
        Export CSV
      </DownloadButton>
      <Link
        to="/dashboard/pick-list"
        className={getButtonClasses('line', 'bar', 'whitespace-nowrap max-sm:flex-1')}
      >
        Pick list
      </Link>
    </>
  );
}

/** A paid order is 'Shipped' here (specification §4). */
const nameStatus = (show: ShownOrders): string =>
  show === 'paid' ? messages.shipped : show === 'due' ? statusLabel(show) : show;

interface OrderListProps {
  orders: ReturnType<typeof useOrderList>;
  isFiltered: boolean;
}

function OrderList({ orders: { list, shown, isEnded }, isFiltered }: OrderListProps) {
  const notices = useRowNotices<Order>();
  const cancellation = useCancelQuestion(notices.add, 'everybodys');
  const refund = useRefundQuestion(notices.add);
  const acceptance = useAcceptance(notices, `${shown.q} ${shown.show}`);
  return (
    <>
      <PagedList
        list={list}
        what="The orders"
        skeleton={<TableSkeleton cells={['long', 'short', 'middle', 'middle', 'long']} rows={6} />}
        mapRows={(orders) => notices.withNotices(acceptance.withAccepted(orders))}
        empty={<NoOrders isFiltered={isFiltered} />}
      >
        {(orders) => (
          <>
            {isEnded && <EndedOrdersNote q={shown.q} />}
            <AcceptMany orders={orders} acceptance={acceptance} />
            <ManageOrdersTable
              orders={orders}
              busy={list.isPlaceholderData}
              acceptance={acceptance}
              onCancel={cancellation.ask}
              onRefund={refund.ask}
              notices={notices}
            />
          </>
        )}
      </PagedList>
      {acceptance.dialog}
      {cancellation.dialog}
      {refund.dialog}
    </>
  );
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <NoMatch icon={ClipboardList} title="No order matches" what="orders">
      Search for fewer words, or choose another status.
    </NoMatch>
  ) : (
    <Notice icon={ClipboardList} title="No orders yet">
      New orders appear here. Accept them once they are paid.
    </Notice>
  );
}
