import type { User } from '@parts-forge/contract/people/users';
import { useId } from 'react';
import { useSearchParams } from 'react-router';
import { ClerkOrders } from '#app/orders/clerk/clerk-orders.tsx';
import { readOrderFilter } from '#app/orders/list/order-filter.ts';
import { useOrderList } from '#app/orders/list/use-order-list.ts';

/** By account, as an address may have belonged to another one. */
export function CustomerOrders({ user }: { user: User }) {
  const id = useId();
  const [search] = useSearchParams();
  const filter = { ...readOrderFilter(search, 'status'), owner: { user: user._id } };
  const orders = useOrderList(filter);
  return (
    <section className="mt-6" aria-labelledby={id}>
      <h2 id={id} className="display mb-2 text-h3">
        Orders
      </h2>
      <ClerkOrders orders={orders} filter={filter} />
    </section>
  );
}
