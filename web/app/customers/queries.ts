import { deleteReview } from '@parts-forge/contract/reviews';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { orderCustomerQueryOptions } from '#app/orders/queries.ts';

/** Resolves once the customer's page is fresh. */
export function useDeleteReview(email: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(deleteReview, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: orderCustomerQueryOptions(email).queryKey }),
  });
}
