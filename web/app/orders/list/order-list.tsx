import { MAX_SORTED_ORDERS } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useSearchChange } from '#app/dashboard/use-search-text.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { orderCountsQueryOptions } from '#app/orders/queries.ts';
import { Banner } from '#app/ui/banner.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { WorkSkeleton } from '#app/ui/work-skeleton.tsx';
import { describeRows } from './describe-rows.ts';
import { isNarrowed, type OrderFilter } from './order-filter.ts';
import type { useOrderList } from './use-order-list.ts';

/** What the list tells its table. */
export interface OrderTableState {
  /** Whether the rows still belong to the previous filter. */
  busy: boolean;
  canSortByTotal: boolean;
  sort: { now: string; change: (sort: string) => void };
}

interface OrderListProps {
  orders: ReturnType<typeof useOrderList>;
  filter: OrderFilter;
  /** `PagedList` explains it. */
  what: string;
  safe?: string;
  mapRows: (rows: readonly Order[]) => readonly Order[];
  empty: ReactNode;
  children: (rows: readonly Order[], table: OrderTableState) => ReactNode;
}

/** All or one customer's. */
export function OrderList({ orders, filter, children, ...rest }: OrderListProps) {
  const { list, shown, isEnded } = orders;
  const change = useSearchChange();
  const total = list.data?.pages[0]?.total ?? '0';
  const hasPurchase = list.data?.pages.some(({ rows }) => rows.some(({ purchase }) => purchase?.row));
  const word = hasPurchase ? 'row' : 'order';
  // A search has no counts, as a word may match thousands.
  const mayCount = hasPurchase === true && filter.q === '';
  const counts = useQuery({ ...orderCountsQueryOptions(filter), enabled: mayCount }).data;
  const describeCount = (rows: number) =>
    describeRows(rows, total, orders.shown.show, mayCount ? counts : undefined);
  if (filter.sort.endsWith('total') && getProblemCode(list.error) === 'invalid') return <SortRefusal />;
  return (
    <>
      {/* Announces the number of matches to screen readers. */}
      <p role="status" className="sr-only">
        {isNarrowed(filter) &&
          list.data &&
          !list.isPlaceholderData &&
          (total === '1' ? `1 ${word} matches` : `${total} ${word}s match`)}
      </p>
      <ScopeNote filter={filter} orders={list.data?.pages[0]?.rows ?? []} />
      <PagedList
        list={list}
        skeleton={<WorkSkeleton />}
        describeCount={hasPurchase ? describeCount : undefined}
        {...rest}
      >
        {(rows) => (
          <>
            {isEnded && <EndedNote q={shown.q} />}
            {children(rows, {
              busy: list.isPlaceholderData,
              canSortByTotal: !total.endsWith('+') && Number(total) <= MAX_SORTED_ORDERS,
              sort: { now: filter.sort, change: (sort) => change('sort', sort === 'newest' ? '' : sort) },
            })}
          </>
        )}
      </PagedList>
    </>
  );
}

/** Another tab or days may have more orders than the shop sorts. */
function SortRefusal() {
  const [search] = useSearchParams();
  return (
    <Banner kind="error" className="mb-6">
      Only {formatPieces(MAX_SORTED_ORDERS)} orders can be sorted by total.{' '}
      <Link to={{ search: without(search, ['sort']) }} replace preventScrollReset className="pf-link">
        Newest first
      </Link>
    </Banner>
  );
}

/** The search matched closed orders only. */
const EndedNote = ({ q }: { q: string }) => (
  <Banner kind="info" className="mb-6 bg-base-100">
    <p className="[overflow-wrap:anywhere]">
      No open order matches “{q}”. These were cancelled, refunded or have expired.
    </p>
  </Banner>
);

/** Says what no control shows. The part's name comes from its orders. */
function ScopeNote({ filter, orders }: { filter: OrderFilter; orders: readonly Order[] }) {
  const [search] = useSearchParams();
  const { customer, part, reference, purchase } = filter;
  if (!customer && !part && !reference && !purchase) return null;
  const partName = orders.find(({ productId }) => productId === part)?.productName ?? 'one part';
  const scope = [
    purchase && `of purchase ${purchase}`,
    part && `of ${partName}`,
    customer && `by ${customer}`,
    reference && `for ${reference}`,
  ];
  return (
    <p className="mb-4 text-sm [overflow-wrap:anywhere]">
      <bdi>{`Only orders ${scope.filter(Boolean).join(' ')}.`}</bdi>{' '}
      {/* The link disappears, so the heading gets the focus. */}
      <Link
        to={{ search: without(search, ['customer', 'part', 'reference', 'purchase']) }}
        replace
        preventScrollReset
        className="pf-link"
        onClick={focusHeading}
      >
        Show the others, too
      </Link>
    </p>
  );
}

function without(search: URLSearchParams, names: readonly string[]): string {
  return new URLSearchParams([...search].filter(([name]) => !names.includes(name))).toString();
}
