import type { Order } from '@parts-forge/contract/orders';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchText } from '#app/dashboard/use-search-text.ts';
import { DownloadButton } from '#app/papers/download-button.tsx';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { AcceptMany } from './accept-many.tsx';
import { ManageOrdersTable } from './manage-orders-table.tsx';
import { readOrderFilter, standingOrders } from './order-filter.ts';
import { allOrdersQueryOptions, type OrderFilter } from './queries.ts';
import { StatusFilter } from './status-filter.tsx';
import { useAcceptance } from './use-acceptance.ts';
import { useCancelQuestion } from './use-cancel-question.tsx';
import { useRefundQuestion } from './use-refund-question.tsx';

/** Manage All Orders: search and filter are in the address. */
export function ManageOrders() {
  const [search, setSearch] = useSearchParams();
  const [q, setQ] = useSearchText();
  const filter = readOrderFilter(search);
  return (
    <>
      <PageHeading title="Manage All Orders" heading="All Orders" />
      {/* In a row of its own: the message after an acceptance comes at the top right, beside the heading. */}
      <div className="mb-6 flex flex-wrap items-center gap-3">
        <SearchField label="Search orders" value={q} onSearch={setQ} />
        <StatusFilter name="status" value={filter.status ?? ''} options={standingOrders} />
        <OrderPapers filter={filter} />
      </div>
      <OrderList filter={filter} onClear={() => setSearch({}, { replace: true, preventScrollReset: true })} />
    </>
  );
}

/** What can be taken along: the rows of the filter as a file, and what has to be picked. */
function OrderPapers({ filter: { q, status } }: { filter: OrderFilter }) {
  const filters = { ...(q && { q }), ...(status && { status }) };
  return (
    <>
      <DownloadButton file={{ what: 'orders', filters }} className="max-sm:flex-1">
        Export CSV
      </DownloadButton>
      <Link to="/dashboard/pick-list" className={getButtonClasses('line', 'bar', 'max-sm:flex-1')}>
        Pick list
      </Link>
    </>
  );
}

function OrderList({ filter, onClear }: { filter: OrderFilter; onClear: () => void }) {
  const list = useInfiniteQuery({ ...allOrdersQueryOptions(filter), placeholderData: keepPreviousData });
  const notices = useRowNotices<Order>();
  const cancellation = useCancelQuestion(notices.add, 'everybodys');
  const refund = useRefundQuestion(notices.add);
  const acceptance = useAcceptance(notices, `${filter.q} ${filter.status}`);
  return (
    <>
      <PagedList
        list={list}
        what="The orders"
        skeleton={<TableSkeleton cells={['long', 'short', 'middle', 'middle', 'long']} rows={6} />}
        mapRows={(orders) => notices.withNotices(acceptance.withAccepted(orders))}
        empty={<NoOrders isFiltered={filter.q !== '' || filter.status !== null} onClear={onClear} />}
      >
        {(orders) => (
          <>
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
      {cancellation.dialog}
      {refund.dialog}
    </>
  );
}

function NoOrders({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <Notice
      icon={ClipboardList}
      title="No order matches"
      action={
        <Button kind="line" onClick={onClear}>
          Show all orders
        </Button>
      }
    >
      Search for fewer words, or choose another status.
    </Notice>
  ) : (
    <Notice icon={ClipboardList} title="No orders yet">
      New orders appear here. Accept them once they are paid.
    </Notice>
  );
}
