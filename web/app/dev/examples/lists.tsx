import type { Order } from '@parts-forge/contract/orders';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Package } from 'lucide';
import type { ListPage } from '#app/calls/list-page.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { ListFooter } from '#app/dashboard/list-footer.tsx';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { MyOrdersTable } from '#app/orders/mine/my-orders-table.tsx';
import { ProductListFooter } from '#app/products/list/product-list-footer.tsx';
import { readProductFilter } from '#app/products/product-filter.ts';
import { Notice } from '#app/ui/notice.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import type { Example } from '../example.ts';
import { Provider } from '../provider.tsx';
import { chooseNone, failure, ignore, offline, orders, product } from '../sample-data.ts';

const filter = readProductFilter(new URLSearchParams());
const page = (nextCursor: string | null): ListPage<Order> => ({ rows: orders, total: '57', nextCursor });
const footer = {
  shown: 24,
  total: '57',
  hasMore: true,
  isPaged: false,
  busy: false,
  error: null,
  onMore: ignore,
};

export const lists: readonly Example[] = [
  { name: 'List, loading', render: () => <Orders read={() => new Promise(() => {})} /> },
  {
    name: 'List, empty',
    render: () => <Orders read={async () => ({ rows: [], total: '0', nextCursor: null })} />,
  },
  { name: 'List, the shop failed', render: () => <Orders read={() => Promise.reject(failure)} /> },
  { name: 'List, no connection', render: () => <Orders read={() => Promise.reject(offline)} /> },
  { name: 'List, the only page', render: () => <Orders read={async () => page(null)} /> },
  { name: 'List with further pages', render: () => <Orders read={async () => page('next')} /> },
  {
    name: 'List whose next page fails: press Load more',
    render: () => <Orders read={async ({ after }) => (after ? Promise.reject(failure) : page('next'))} />,
  },
  { name: 'Pager', render: () => <ListFooter {...footer} /> },
  { name: 'Pager, loading', render: () => <ListFooter {...footer} busy /> },
  { name: 'Pager, at the end', render: () => <ListFooter {...footer} shown={57} hasMore={false} isPaged /> },
  { name: 'Pager after a failure', render: () => <ListFooter {...footer} error={failure} /> },
  {
    name: 'Pager of the parts',
    render: () => (
      <ProductListFooter
        filter={filter}
        page={{ rows: [product], total: '57', nextCursor: 'next' }}
        shown={24}
        isPartial={false}
        busy={false}
      />
    ),
  },
  {
    name: 'Pager of the parts, a further page alone',
    render: () => (
      <ProductListFooter
        filter={filter}
        page={{ rows: [product], total: '57', nextCursor: null }}
        shown={9}
        isPartial
        busy={false}
      />
    ),
  },
];

type ReadPage = Parameters<typeof listQueryOptions<Order>>[1];

const Orders = ({ read }: { read: ReadPage }) => (
  <Provider>
    <OrderList read={read} />
  </Provider>
);

function OrderList({ read }: { read: ReadPage }) {
  const list = useInfiniteQuery({ ...listQueryOptions(['example'], read), enabled: true, retry: false });
  const notices = useRowNotices<Order>();
  return (
    <PagedList
      list={list}
      what="Your orders"
      safe="Your orders are safe"
      skeleton={<TableSkeleton cells={['short', 'middle', 'long']} rows={2} />}
      mapRows={notices.withNotices}
      empty={
        <Notice icon={Package} title="No orders yet">
          Orders you place appear here.
        </Notice>
      }
    >
      {(rows) => (
        <MyOrdersTable orders={rows} busy={false} chosen={chooseNone} onCancel={ignore} notices={notices} />
      )}
    </PagedList>
  );
}
