import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import type { Order } from '@parts-forge/contract/orders';
import type { User } from '@parts-forge/contract/users';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { Link } from 'react-router';
import { PagedList } from '#app/dashboard/paged-list.tsx';
import { StatusForAdmin } from '#app/orders/status-for-admin.tsx';
import { ProductCell } from '#app/products/product-cell.tsx';
import { formatDay } from '#app/ui/format-day.ts';
import { Notice } from '#app/ui/notice.tsx';
import { type Column, Table } from '#app/ui/table.tsx';
import { TableSkeleton } from '#app/ui/table-skeleton.tsx';
import { ordersOfCustomerQueryOptions } from './queries.ts';

/** What a customer ordered: what stands, and below it what ended, when anything did. */
export function CustomerOrders({ user }: { user: User }) {
  const id = useId();
  const standing = useInfiniteQuery(ordersOfCustomerQueryOptions(user.email, false));
  const ended = useInfiniteQuery(ordersOfCustomerQueryOptions(user.email, true));
  const total = standing.data?.pages[0]?.total;
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
          list={standing}
          what="The orders"
          skeleton={<TableSkeleton cells={['long', 'short', 'short', 'middle', 'middle']} rows={4} />}
          empty={
            <Notice icon={ClipboardList} title="No orders" level={3}>
              {user.name} has no order that stands.
            </Notice>
          }
        >
          {(orders) => <OrdersTable caption={`Orders of ${user.name}, newest first`} orders={orders} />}
        </PagedList>
      </section>
      <EndedOrders list={ended} name={user.name} />
    </>
  );
}

type OrderPages = ComponentProps<typeof PagedList<Order>>['list'];

/** Cancelled, expired and refunded ones; nothing where there are none. */
function EndedOrders({ list, name }: { list: OrderPages; name: string }) {
  const id = useId();
  if (list.data?.pages[0]?.rows.length === 0 || list.isPending) return null;
  return (
    <section className="mt-8" aria-labelledby={id}>
      <h2 id={id} className="display mb-4 text-h3">
        Ended orders
      </h2>
      <PagedList list={list} what="The ended orders" skeleton={null} empty={null}>
        {(orders) => <OrdersTable caption={`Ended orders of ${name}, newest first`} orders={orders} />}
      </PagedList>
    </section>
  );
}

const columns: Column<Order>[] = [
  {
    head: 'Part',
    cell: (order) => (
      <ProductCell image={order.image} name={order.productName} under={formatDay(order.createdAt)} />
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

function OrdersTable({ caption, orders }: { caption: string; orders: readonly Order[] }) {
  return <Table caption={caption} columns={columns} rows={orders} getKey={(order) => order._id} />;
}
