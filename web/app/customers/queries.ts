import { deleteReview } from '@parts-forge/contract/products/reviews';
import { callShop } from '#app/calls/api-client.ts';
import { useChange } from '#app/calls/use-change.ts';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';

export const useDeleteReview = (email: string) =>
  useChange(
    (id: string) => callShop(deleteReview, { params: { id } }),
    orderCustomerQueryOptions(email).queryKey,
  );
