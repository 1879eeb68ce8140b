import { ORDER_CLOSINGS, ORDER_STATUSES } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { Package } from 'lucide';
import { useSearchParams } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { DaysFilter } from '#app/dashboard/days-filter.tsx';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchChange, useSearchText } from '#app/dashboard/use-search-text.ts';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { EndedOrdersNote } from '#app/orders/ended-orders-note.tsx';
import { getOrderState } from '#app/orders/order-cells.tsx';
import { isNarrowed, type OrderFilter, readOrderFilter, toOrderQuery } from '#app/orders/order-filter.ts';
import { OrderTabs } from '#app/orders/order-tabs.tsx';
import { customerOrdersQueryOptions } from '#app/orders/queries.ts';
import { canSortByTotal, SortRefusal } from '#app/orders/sort-by-total.tsx';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { useOrderList } from '#app/orders/use-order-list.ts';
import { useChoice } from '#app/rows/use-choice.ts';
import { WorkSkeleton } from '#app/rows/work-skeleton.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { ChosenForCustomer } from './chosen-for-customer.tsx';
import { MyOrdersTable } from './my-orders-table.tsx';

const tabs = [
  { show: '', name: 'Current', states: ORDER_STATUSES },
  { show: 'ended', name: 'Ended', states: ORDER_CLOSINGS },
] as const;

/** The customer's list, with search and filter in the address. */
export function MyOrders({ email }: { email: string }) {
  const [search] = useSearchParams();
  const [q, setQ] = useSearchText();
  const filter = readOrderFilter(search, 'show');
  const orders = useOrderList(filter, (each) => customerOrdersQueryOptions(email, each));
  const timeZone = useShopTimeZone();
  return (
    <>
      <PageHeading
        title="My Orders"
        actions={
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
            <SearchField label="Search orders" value={q} onSearch={setQ} />
            <DaysFilter from={filter.from} before={filter.before} />
            <DownloadButton
              file={{ what: 'orders', filters: toOrderQuery(orders.shown, timeZone) }}
              className="max-sm:hidden"
            >
              Export CSV
            </DownloadButton>
          </div>
        }
      />
      <OrderTabs parameter="show" tabs={tabs} filter={{ ...filter, customer: email }} />
      <OrderList email={email} orders={orders} filter={filter} />
    </>
  );
}

interface OrderListProps {
  email: string;
  orders: ReturnType<typeof useOrderList>;
  filter: OrderFilter;
}

function OrderList({ email, orders: { list, isEnded }, filter }: OrderListProps) {
  const notices = useRowNotices<Order>();
  const choice = useChoice(
    'chosen-orders',
    email,
    list.data?.pages.flatMap(({ rows }) => rows) ?? [],
    getOrderState,
  );
  const cancellation = useCancelQuestion(
    notices.add,
    'own',
    (order) => choice.has(order) && choice.toggle(order),
  );
  const change = useSearchChange();
  const isCounted = isNarrowed(filter) && !list.isPlaceholderData;
  return (
    <>
      <MatchCount total={isCounted ? list.data?.pages[0]?.total : undefined} />
      <SortRefusal sort={filter.sort} error={list.error} />
      <PagedList
        list={list}
        what="Your orders"
        safe="Your orders are safe"
        skeleton={<WorkSkeleton />}
        mapRows={notices.withNotices}
        empty={<NoOrders filter={filter} />}
      >
        {(orders) => (
          <>
            {isEnded && <EndedOrdersNote q={filter.q} />}
            <MyOrdersTable
              orders={orders}
              busy={list.isPlaceholderData}
              choice={choice}
              bar={<ChosenForCustomer choice={choice} />}
              canSortByTotal={canSortByTotal(list.data?.pages[0]?.total)}
              sort={{ now: filter.sort, change: (sort) => change('sort', sort === 'newest' ? '' : sort) }}
              onCancel={cancellation.ask}
              notices={notices}
            />
          </>
        )}
      </PagedList>
      {cancellation.dialog}
    </>
  );
}

/** Announces the number of matches to screen readers. */
function MatchCount({ total }: { total: string | undefined }) {
  return (
    <p role="status" className="sr-only">
      {total !== undefined && (total === '1' ? '1 order matches' : `${total} orders match`)}
    </p>
  );
}

function NoOrders({ filter }: { filter: OrderFilter }) {
  return isNarrowed(filter) ? (
    <NoMatch icon={Package} title="No order matches" what="orders">
      {filter.q === ''
        ? 'None of your orders of these days has this status now.'
        : 'Search for a shorter word, or choose other days.'}
    </NoMatch>
  ) : (
    <Notice
      icon={Package}
      title="No orders yet"
      action={<PrimaryLink to="/all-products">See All Parts</PrimaryLink>}
    >
      Orders you place appear here, with their status and transaction id.
    </Notice>
  );
}
