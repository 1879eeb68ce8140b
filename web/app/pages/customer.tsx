import { prefetch } from '#app/calls/prefetch.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { Customer } from '#app/customers/customer.tsx';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';
import { userQueryOptions } from '#app/users/queries.ts';
import type { Route } from './+types/customer';

export const clientLoader = ({ params: { email } }: Route.ClientLoaderArgs) =>
  prefetch(configQueryOptions(), userQueryOptions(email), orderCustomerQueryOptions(email));

export default function CustomerPage({ params: { email } }: Route.ComponentProps) {
  return <Customer key={email} email={email} ownEmail={useSignedInUser().email} />;
}
