import { ListChecks } from 'lucide';
import { Link, useSearchParams } from 'react-router';
import { prefetch } from '#app/calls/prefetch.ts';
import { readOrderFilter } from '#app/orders/list/order-filter.ts';
import { OrdersHeading } from '#app/orders/list/orders-heading.tsx';
import { useOrderList } from '#app/orders/list/use-order-list.ts';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import type { Route } from './+types/manage-orders';
import { ClerkOrders } from './clerk-orders.tsx';

export const clientLoader = ({ request }: Route.ClientLoaderArgs) =>
  prefetch(allOrdersQueryOptions(readOrderFilter(new URL(request.url).searchParams, 'status')));

/** Administrators' list of all orders, with search and filter in the address. */
export default function ManageOrders() {
  const [search] = useSearchParams();
  const filter = readOrderFilter(search, 'status');
  const orders = useOrderList(filter);
  return (
    <>
      <OrdersHeading title="Manage All Orders" heading="All Orders" shown={orders.shown}>
        <Link to="/dashboard/pick-list" className={getButtonClasses('line', 'bar', 'max-sm:hidden')}>
          <Icon of={ListChecks} className="size-4" />
          Pick list
        </Link>
      </OrdersHeading>
      <ClerkOrders orders={orders} filter={filter} />
    </>
  );
}
