import { messages } from '@parts-forge/contract/messages';
import { ORDER_CLOSINGS } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { ClipboardList, ListChecks } from 'lucide';
import { Link, useSearchParams } from 'react-router';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { DaysFilter } from '#app/dashboard/days-filter.tsx';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSearchChange, useSearchText } from '#app/dashboard/use-search-text.ts';
import { DownloadButton } from '#app/downloads/download-button.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { EndedOrdersNote } from '#app/orders/ended-orders-note.tsx';
import { getOrderState } from '#app/orders/order-cells.tsx';
import { isNarrowed, type OrderFilter, readOrderFilter, toOrderQuery } from '#app/orders/order-filter.ts';
import { OrderTabs } from '#app/orders/order-tabs.tsx';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import { canSortByTotal, SortRefusal } from '#app/orders/sort-by-total.tsx';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { useOrderList } from '#app/orders/use-order-list.ts';
import { useChoice } from '#app/rows/use-choice.ts';
import { WorkSkeleton } from '#app/rows/work-skeleton.tsx';
import { getButtonClasses } from '#app/ui/button.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { ChosenForClerk } from './chosen-for-clerk.tsx';
import { ManageOrdersTable } from './manage-orders-table.tsx';
import { useAcceptance } from './use-acceptance.tsx';
import { useRefundQuestion } from './use-refund-question.tsx';

/** A paid order is 'Shipped' here (specification §4). */
const tabs = [
  { show: '', name: 'All', states: ['due', 'pending', 'paid'] },
  { show: 'due', name: 'unpaid', states: ['due'] },
  { show: 'pending', name: 'pending', states: ['pending'] },
  { show: 'paid', name: messages.shipped, states: ['paid'] },
  { show: 'ended', name: 'ended', states: ORDER_CLOSINGS },
] as const;

/** Administrators' list of all orders, with search and filter in the address. */
export function ManageOrders() {
  const [search] = useSearchParams();
  const [q, setQ] = useSearchText();
  const filter = readOrderFilter(search, 'status');
  const orders = useOrderList(filter, allOrdersQueryOptions);
  const timeZone = useShopTimeZone();
  return (
    <>
      <PageHeading
        title="Manage All Orders"
        heading="All Orders"
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
            <Link to="/dashboard/pick-list" className={getButtonClasses('line', 'bar', 'max-sm:hidden')}>
              <Icon of={ListChecks} className="size-4" />
              Pick list
            </Link>
          </div>
        }
      />
      <OrderTabs parameter="status" tabs={tabs} filter={filter} />
      <ScopeNote filter={filter} orders={orders.list.data?.pages[0]?.rows ?? []} />
      <OrderList orders={orders} filter={filter} />
    </>
  );
}

interface OrderListProps {
  orders: ReturnType<typeof useOrderList>;
  filter: OrderFilter;
}

function OrderList({ orders: { list, shown, isEnded }, filter }: OrderListProps) {
  const notices = useRowNotices<Order>();
  const refund = useRefundQuestion(notices.add);
  const acceptance = useAcceptance(notices, JSON.stringify({ ...filter, sort: '' }));
  const { email } = useSignedInUser();
  const choice = useChoice(
    'chosen-to-manage',
    email,
    // An order accepted in its row is no longer pending, also once it has left the list.
    acceptance.withAccepted(list.data?.pages.flatMap(({ rows }) => rows) ?? []),
    getOrderState,
  );
  const cancellation = useCancelQuestion(
    notices.add,
    'everybodys',
    (order) => choice.has(order) && choice.toggle(order),
  );
  const change = useSearchChange();
  return (
    <>
      <SortRefusal sort={filter.sort} error={list.error} />
      <PagedList
        list={list}
        what="The orders"
        skeleton={<WorkSkeleton />}
        mapRows={(orders) => notices.withNotices(acceptance.withAccepted(orders))}
        empty={<NoOrders filter={filter} />}
      >
        {(orders) => (
          <>
            {isEnded && <EndedOrdersNote q={shown.q} />}
            <ManageOrdersTable
              orders={orders}
              busy={list.isPlaceholderData}
              choice={choice}
              bar={
                <ChosenForClerk
                  choice={choice}
                  filter={shown}
                  list={{ rows: orders, hasMore: list.hasNextPage, total: list.data?.pages[0]?.total }}
                  acceptance={acceptance}
                />
              }
              canSortByTotal={canSortByTotal(list.data?.pages[0]?.total)}
              sort={{ now: filter.sort, change: (sort) => change('sort', sort === 'newest' ? '' : sort) }}
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

/** The part's name comes from its orders. */
function ScopeNote({
  filter: { customer, part },
  orders,
}: {
  filter: OrderFilter;
  orders: readonly Order[];
}) {
  const [search] = useSearchParams();
  if (!customer && !part) return null;
  const others = new URLSearchParams(search);
  for (const name of ['customer', 'part']) others.delete(name);
  const partName = orders.find(({ productId }) => productId === part)?.productName ?? 'one part';
  return (
    <p className="mb-4 text-sm">
      <bdi>{`Only orders of ${[part && partName, customer].filter(Boolean).join(' by ')}.`}</bdi>{' '}
      {/* The link disappears, so the heading gets the focus. */}
      <Link
        to={{ search: others.toString() }}
        replace
        preventScrollReset
        className="pf-link"
        onClick={focusHeading}
      >
        Show those of all parts and customers
      </Link>
    </p>
  );
}

function NoOrders({ filter }: { filter: OrderFilter }) {
  return isNarrowed(filter) ? (
    <NoMatch icon={ClipboardList} title="No order matches" what="orders">
      Search for fewer words, or choose another status or other days.
    </NoMatch>
  ) : (
    <Notice icon={ClipboardList} title="No orders yet">
      New orders appear here. Accept them once they are paid.
    </Notice>
  );
}
