import type { User } from '@parts-forge/contract/people/users';
import { useQuery } from '@tanstack/react-query';
import { PageHeading } from '#app/dashboard/page-heading.tsx';
import { QueryPanel } from '#app/dashboard/query-panel.tsx';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';
import { BackLink } from '#app/ui/back-link.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { userQueryOptions } from '#app/users/queries.ts';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerDetails } from './customer-details.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import { CustomerReviews } from './customer-reviews.tsx';
import { CustomerTotals } from './customer-totals.tsx';

/** The administrator's page of one customer. */
export function Customer({ email, ownEmail }: { email: string; ownEmail: string }) {
  const profile = useQuery(userQueryOptions(email));
  const user = profile.data;
  return (
    <>
      <PageHeading
        title={user?.name ?? 'Customer'}
        {...(user && { heading: <bdi>{user.name}</bdi> })}
        above={<BackLink to="/dashboard/manage-users">Manage All Users</BackLink>}
        actions={user && <CustomerActions user={user} ownEmail={ownEmail} />}
      />
      <QueryPanel
        query={profile}
        what="The customer"
        skeleton={<Skeleton className="h-[26rem] w-full !rounded-box" />}
      >
        {(data) => <Facts user={data} />}
      </QueryPanel>
    </>
  );
}

function Facts({ user }: { user: User }) {
  const summary = useQuery(orderCustomerQueryOptions(user.email));
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
      <CustomerOrders key={user._id} user={user} />
    </>
  );
}
