import { RowNotice } from '#app/dashboard/row-notice.tsx';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ManageOrdersTable } from '#app/orders/manage-orders-table.tsx';
import { MyOrdersTable } from '#app/orders/my-orders-table.tsx';
import { ProductsTable } from '#app/products/products-table.tsx';
import { UsersTable } from '#app/users/users-table.tsx';
import type { Example } from '../example.ts';
import {
  administrator,
  customer,
  ignore,
  longName,
  orders,
  ordersAndMoney,
  outOfStock,
  pendingOrder,
  product,
} from '../sample-data.ts';

type Notices = Pick<RowNotices<unknown>, 'render'>;
const noNotices: Notices = { render: () => null };
const noticeEverywhere: Notices = {
  render: (_, label) => <RowNotice onDismiss={ignore}>{label}: This is not there any more.</RowNotice>,
};
const acceptance = {
  accept: ignore,
  acceptingId: null,
  isAccepted: () => false,
  chosen: new Set<string>(),
  toggle: ignore,
};
const manageOrders = {
  orders,
  acceptance,
  onCancel: ignore,
  onRefund: ignore,
  notices: noNotices,
};

export const tables: readonly Example[] = [
  {
    name: 'My Orders: unpaid, pending, paid',
    render: () => <MyOrdersTable orders={orders} onCancel={ignore} notices={noNotices} />,
  },
  {
    name: 'My Orders: held until, refunds and a dispute',
    render: () => <MyOrdersTable orders={ordersAndMoney} onCancel={ignore} notices={noNotices} />,
  },
  {
    name: 'My Orders with notices in the place of rows',
    render: () => <MyOrdersTable orders={orders} onCancel={ignore} notices={noticeEverywhere} />,
  },
  {
    name: 'All Orders: unpaid, pending, Shipped',
    render: () => <ManageOrdersTable {...manageOrders} busy={false} />,
  },
  {
    name: 'All Orders: held until, refunds and a dispute',
    render: () => <ManageOrdersTable {...manageOrders} orders={ordersAndMoney} busy={false} />,
  },
  {
    name: 'All Orders, accepting a payment',
    render: () => (
      <ManageOrdersTable
        {...manageOrders}
        busy={false}
        acceptance={{ ...acceptance, acceptingId: pendingOrder._id, chosen: new Set([pendingOrder._id]) }}
      />
    ),
  },
  {
    name: 'All Orders while the filter changes',
    render: () => <ManageOrdersTable {...manageOrders} busy />,
  },
  {
    name: 'Users',
    render: () => (
      <UsersTable
        users={[administrator, customer]}
        busy={false}
        ownEmail={customer.email}
        hasResetLinks
        onAct={ignore}
        notices={noNotices}
      />
    ),
  },
  {
    name: 'Products: in stock, out of stock, a name without a break',
    render: () => (
      <ProductsTable
        products={[product, outOfStock, longName]}
        onRestock={ignore}
        onDelete={ignore}
        notices={noNotices}
      />
    ),
  },
];
