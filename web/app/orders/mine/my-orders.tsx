import { ORDER_CLOSINGS, ORDER_STATUSES } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { Package } from 'lucide';
import { useSearchParams } from 'react-router';
import { prefetchOwn } from '#app/calls/prefetch.ts';
import { NoMatch } from '#app/dashboard/no-match.tsx';
import { useRowNotices } from '#app/dashboard/use-row-notices.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { isNarrowed, type OrderFilter, readOwnFilter } from '#app/orders/list/order-filter.ts';
import { OrderList } from '#app/orders/list/order-list.tsx';
import { OrderTabs } from '#app/orders/list/order-tabs.tsx';
import { OrdersHeading } from '#app/orders/list/orders-heading.tsx';
import { usePurchaseActs } from '#app/orders/list/purchase-acts.tsx';
import { useOrderList } from '#app/orders/list/use-order-list.ts';
import { useRowChoice } from '#app/orders/list/use-row-choice.ts';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import { useCancelQuestion } from '#app/orders/use-cancel-question.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PrimaryLink } from '#app/ui/primary-link.tsx';
import type { Route } from './+types/my-orders';
import { ChosenForCustomer } from './chosen-for-customer.tsx';
import { MyOrdersTable } from './my-orders-table.tsx';

const tabs = [
  { show: '', name: 'Current', states: ORDER_STATUSES, rows: 'open' },
  { show: 'ended', name: 'Ended', states: ORDER_CLOSINGS, rows: 'ended' },
  { show: 'all', name: 'All', states: [...ORDER_STATUSES, ...ORDER_CLOSINGS], rows: 'all' },
] as const;

export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  prefetchOwn((email) => allOrdersQueryOptions(readOwnFilter(new URL(request.url).searchParams, email)));

/** The customer's list, with search and filter in the address. */
export default function MyOrders() {
  const { email } = useSignedInUser();
  const [search] = useSearchParams();
  const filter = readOwnFilter(search, email);
  const orders = useOrderList(filter);
  const notices = useRowNotices<Order>();
  const choice = useRowChoice(orders, 'chosen-orders');
  const acts = usePurchaseActs(email, notices, choice);
  const cancellation = useCancelQuestion(notices.add, 'own', (order) => choice.drop([order]));
  return (
    <>
      <OrdersHeading title="My Orders" shown={orders.shown} />
      <OrderTabs parameter="show" tabs={tabs} filter={filter} />
      <OrderList
        orders={orders}
        filter={filter}
        what="Your orders"
        safe="Your orders are safe"
        mapRows={notices.withNotices}
        empty={<NoOrders filter={filter} />}
      >
        {(rows, table) => (
          <MyOrdersTable
            table={table}
            orders={rows}
            email={email}
            choice={choice}
            acts={acts}
            bar={<ChosenForCustomer choice={choice} orders={orders} />}
            onCancel={cancellation.ask}
            notices={notices}
          />
        )}
      </OrderList>
      {cancellation.dialog}
      {acts.dialog}
    </>
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
