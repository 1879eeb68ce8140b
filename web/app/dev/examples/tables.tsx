import type { Order } from '@parts-forge/contract/orders';
import { RowNotice } from '#app/dashboard/row-notice.tsx';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { ManageOrdersTable } from '#app/orders/clerk/manage-orders-table.tsx';
import { ChosenOrdersBar } from '#app/orders/mine/chosen-orders-bar.tsx';
import { MyOrdersTable } from '#app/orders/mine/my-orders-table.tsx';
import { ProductsTable } from '#app/products/manage/products-table.tsx';
import { UsersTable } from '#app/users/users-table.tsx';
import type { Example } from '../example.ts';
import {
  administrator,
  chooseNone,
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
  render: (_, label) => <RowNotice onDismiss={ignore}>{label}: This no longer exists.</RowNotice>,
};
const myOrders = { busy: false, chosen: chooseNone, onCancel: ignore, notices: noNotices };
const chooseFirst = { ...chooseNone, orders: [orders[0]], isChosen: (order: Order) => order === orders[0] };
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
    render: () => <MyOrdersTable {...myOrders} orders={orders} />,
  },
  {
    name: 'My Orders: held until, refunds and a dispute',
    render: () => <MyOrdersTable {...myOrders} orders={ordersAndMoney} />,
  },
  {
    name: 'My Orders with notices in the place of rows',
    render: () => <MyOrdersTable {...myOrders} orders={orders} notices={noticeEverywhere} />,
  },
  {
    name: 'My Orders with one chosen to pay',
    render: () => (
      <>
        <ChosenOrdersBar chosen={chooseFirst} />
        <MyOrdersTable {...myOrders} orders={orders} chosen={chooseFirst} />
      </>
    ),
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
        busy={false}
        products={[product, outOfStock, longName]}
        onRestock={ignore}
        onDelete={ignore}
        notices={noNotices}
      />
    ),
  },
];
