import type { User, UserSummary } from '@parts-forge/contract/people/users';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { prefetch } from '#app/calls/prefetch.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';
import { BackLink } from '#app/ui/back-link.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { userQueryOptions } from '#app/users/queries.ts';
import type { Route } from './+types/customer';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerDetails } from './customer-details.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import { CustomerReviews } from './customer-reviews.tsx';
import { CustomerTotals } from './customer-totals.tsx';

export const clientLoader = ({ params: { email } }: Route.ClientLoaderArgs) =>
  prefetch(configQueryOptions(), userQueryOptions(email), orderCustomerQueryOptions(email));

/** The administrator's page of one customer. */
export default function Customer({ params: { email } }: Route.ComponentProps) {
  const profile = useQuery(userQueryOptions(email));
  const summary = useQuery(orderCustomerQueryOptions(email));
  const user = profile.data;
  return (
    <>
      <PageHeading
        title={user?.name ?? 'Customer'}
        {...(user && { heading: <bdi>{user.name}</bdi> })}
        above={<BackLink to="/dashboard/manage-users">Manage All Users</BackLink>}
        actions={user && <CustomerActions key={user._id} user={user} />}
      />
      <QueryPanel
        query={profile}
        what="The customer"
        skeleton={<Skeleton className="h-[26rem] w-full !rounded-box" />}
      >
        {(data) => <Facts key={data._id} user={data} summary={summary} />}
      </QueryPanel>
    </>
  );
}

function Facts({ user, summary }: { user: User; summary: UseQueryResult<UserSummary> }) {
  return (
    <>
      <QueryPanel
        query={summary}
        what="The figures"
        skeleton={<Skeleton className="h-[22rem] w-full !rounded-box" />}
      >
        {(figures) => (
          <>
            <CustomerTotals summary={figures} />
            <div className="mt-6 grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
              <CustomerDetails user={user} lastSeen={figures.lastSeen} />
              <CustomerReviews reviews={figures.reviews} email={user.email} />
            </div>
          </>
        )}
      </QueryPanel>
      <CustomerOrders user={user} />
    </>
  );
}
