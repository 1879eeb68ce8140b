import { listOrders } from '@parts-forge/contract/orders';
import { deleteReview } from '@parts-forge/contract/reviews';
import { readUserSummary } from '@parts-forge/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

/** The key begins with `orders`, so changes to orders refetch it. */
export const userSummaryQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'summary', email],
    queryFn: ({ signal }) => callShop(readUserSummary, { params: { email }, signal }),
  });

/** Open orders of an account, newest first; closed ones with `isEnded`. */
export const ordersOfCustomerQueryOptions = (user: string, isEnded: boolean) =>
  listQueryOptions(['orders', 'of', user, isEnded], (page, signal) =>
    callList(listOrders, { query: { ...page, user, ...(isEnded && { closed: 'true' }) }, signal }),
  );

/** Resolves once the customer's page is fresh. */
export function useDeleteReview(email: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(deleteReview, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: userSummaryQueryOptions(email).queryKey }),
  });
}
