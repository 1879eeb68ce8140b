import { queryClient } from '#app/calls/query-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { Customer } from '#app/customers/customer.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';
import { userQueryOptions } from '#app/users/queries.ts';
import type { Route } from './+types/customer';

export function clientLoader({ params: { email } }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(configQueryOptions());
  void queryClient.prefetchQuery(userQueryOptions(email));
  void queryClient.prefetchQuery(orderCustomerQueryOptions(email));
  return null;
}

export default function CustomerPage({ params: { email } }: Route.ComponentProps) {
  return <Customer key={email} email={email} ownEmail={useSignedInUser().email} />;
}
