import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';
import type { User } from '@parts-forge/contract/users';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide';
import { useId } from 'react';
import { Link } from 'react-router';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { AcceptButton, AcceptedNote, canAcceptInRow } from '#app/orders/clerk/accept-in-row.tsx';
import { StatusForAdmin } from '#app/orders/clerk/status-for-admin.tsx';
import { useAcceptance } from '#app/orders/clerk/use-acceptance.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Notice } from '#app/ui/notice.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { ordersOfCustomerQueryOptions } from './queries.ts';

/** Open orders above the closed ones. */
export function CustomerOrders({ user }: { user: User }) {
  return (
    <>
      <StandingOrders user={user} />
      <EndedOrders user={user} />
    </>
  );
}

function StandingOrders({ user }: { user: User }) {
  const id = useId();
  const list = useInfiniteQuery(ordersOfCustomerQueryOptions(user._id, false));
  const notices = useRowNotices<Order>();
  const acceptance = useAcceptance(notices, user.email);
  const renderAction = (order: Order) => {
    if (acceptance.isAccepted(order)) return <AcceptedNote />;
    if (!canAcceptInRow(order)) return null;
    return (
      <span className="acts flex justify-end">
        <AcceptButton order={order} acceptance={acceptance} />
      </span>
    );
  };
  const total = list.data?.pages[0]?.total;
  return (
    <>
      <section className="mt-6" aria-labelledby={id}>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
          <h2 id={id} className="display text-h3">
            Orders
          </h2>
          <p className="num text-sm text-muted">
            {total && `${total} ${total === '1' ? 'order' : 'orders'}`}
          </p>
        </div>
        <PagedList
          list={list}
          what="The orders"
          mapRows={(orders) => notices.withNotices(acceptance.withAccepted(orders))}
          skeleton={<TableSkeleton cells={['long', 'short', 'short', 'middle', 'middle']} rows={4} />}
          empty={<NoOrders user={user} />}
        >
          {(orders) => (
            <Table
              caption={`Orders of ${user.name}, newest first`}
              columns={[...columns, { head: 'Action', actions: true, cell: renderAction }]}
              rows={orders}
              getKey={getKey}
              renderNotice={(order) => notices.render(order, `${order.productName}, ${order.number}`)}
            />
          )}
        </PagedList>
      </section>
      {acceptance.dialog}
    </>
  );
}

function NoOrders({ user }: { user: User }) {
  return (
    <Notice icon={ClipboardList} title="No orders" level={3}>
      <bdi>{user.name}</bdi> has no open order.
    </Notice>
  );
}

/** Hidden if there are none. */
function EndedOrders({ user }: { user: User }) {
  const id = useId();
  const list = useInfiniteQuery(ordersOfCustomerQueryOptions(user._id, true));
  if (list.data?.pages[0]?.rows.length === 0 || list.isPending) return null;
  return (
    <section className="mt-8" aria-labelledby={id}>
      <h2 id={id} className="display mb-4 text-h3">
        Ended orders
      </h2>
      <PagedList list={list} what="The ended orders" skeleton={null} empty={null}>
        {(orders) => (
          <Table
            caption={`Ended orders of ${user.name}, newest first`}
            columns={columns}
            rows={orders}
            getKey={getKey}
          />
        )}
      </PagedList>
    </section>
  );
}

const columns: Column<Order>[] = [
  {
    head: 'Part',
    cell: (order) => (
      <ProductCell
        image={order.image}
        name={order.productName}
        under={<span className="num">{`${order.partNumber}, ${formatDay(order.createdAt)}`}</span>}
      />
    ),
  },
  {
    head: 'Order',
    cell: (order) => (
      <Link className="pf-link num inline-flex min-h-6 items-center" to={`/dashboard/order/${order._id}`}>
        {order.number}
      </Link>
    ),
  },
  { head: 'Quantity', right: true, cell: (order) => formatPieces(order.quantity) },
  { head: 'Total price', right: true, cell: (order) => formatAmount(order.totalPrice) },
  { head: 'Status', cell: (order) => <StatusForAdmin order={order} /> },
];

const getKey = ({ _id }: Order) => _id;
