import { statusLabel } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { Package } from 'lucide';
import { useSearchParams } from 'react-router';
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
import { customerOrdersQueryOptions } from '#app/orders/queries.ts';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { useOrderList } from '#app/orders/use-order-list.ts';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { ChosenOrdersBar } from './chosen-orders-bar.tsx';
import { MyOrdersTable } from './my-orders-table.tsx';
import { useChosenOrders } from './use-chosen-orders.ts';

/** The customer's list, with search and filter in the address. */
export function MyOrders({ email }: { email: string }) {
  const [search] = useSearchParams();
  const [q, setQ] = useSearchText();
  const filter = readOrderFilter(search, 'show');
  return (
    <>
      <PageHeading
        title="My Orders"
        actions={
          <div className="flex flex-wrap items-center gap-3 max-sm:w-full">
            <SearchField label="Search orders" value={q} onSearch={setQ} />
            <OrderStatusFilter parameter="show" nameStatus={nameStatus} />
            <ExportButton email={email} filter={filter} />
          </div>
        }
      />
      <OrderList email={email} filter={filter} />
    </>
  );
}

const nameStatus = (show: ShownOrders): string => (show === 'due' ? statusLabel(show) : show);

interface OwnOrdersProps {
  email: string;
  filter: OrderFilter;
}

const useOwnOrders = ({ email, filter }: OwnOrdersProps) =>
  useOrderList(filter, (each) => customerOrdersQueryOptions(email, each));

/** Exports the rows that the list shows. */
function ExportButton(props: OwnOrdersProps) {
  const { shown } = useOwnOrders(props);
  return (
    <DownloadButton file={{ what: 'orders', filters: toOrderQuery(shown) }} className="max-sm:flex-1">
      Export CSV
    </DownloadButton>
  );
}

function OrderList({ email, filter }: OwnOrdersProps) {
  const { list, isEnded } = useOwnOrders({ email, filter });
  const notices = useRowNotices<Order>();
  const cancellation = useCancelQuestion(notices.add, 'own');
  const chosen = useChosenOrders(email, list.data?.pages.flatMap(({ rows }) => rows) ?? []);
  const isFiltered = filter.q !== '' || filter.show !== null;
  return (
    <>
      <MatchCount total={isFiltered && !list.isPlaceholderData ? list.data?.pages[0]?.total : undefined} />
      <PagedList
        list={list}
        what="Your orders"
        safe="Your orders are safe"
        skeleton={<TableSkeleton cells={['short', 'middle', 'middle', 'long', 'long']} actions={false} />}
        mapRows={notices.withNotices}
        empty={<NoOrders filter={filter} />}
      >
        {(orders) => (
          <>
            {isEnded && <EndedOrdersNote q={filter.q} />}
            <ChosenOrdersBar chosen={chosen} />
            <MyOrdersTable
              orders={orders}
              busy={list.isPlaceholderData}
              chosen={chosen}
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

function NoOrders({ filter: { q, show } }: { filter: OrderFilter }) {
  return q !== '' || show !== null ? (
    <NoMatch icon={Package} title="No order matches" what="orders">
      {q === ''
        ? 'None of your orders has this status now.'
        : `Search for a shorter word${show === null ? '' : ', or choose another status'}.`}
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
