import { policies, refuseByRole } from '@parts-forge/contract/policies';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryClient } from '#app/calls/query-client.ts';
import { userQueryOptions } from '#app/users/queries.ts';

export function AccountLinks({ email, className }: { email: string; className: string }) {
  // The bar is outside the client's provider.
  const { data: user } = useQuery(userQueryOptions(email), queryClient);
  const hasOrders = user !== undefined && refuseByRole(policies.placeOrder, user.role) === null;
  return (
    <ul>
      <li>
        <Link to="/dashboard/my-profile" className={className}>
          Dashboard
        </Link>
      </li>
      {hasOrders && (
        <li>
          <Link to="/dashboard/my-orders" className={className}>
            My Orders
          </Link>
        </li>
      )}
    </ul>
  );
}
