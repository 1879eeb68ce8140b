import { listOrders } from '@parts-forge/contract/orders';
import { deleteReview } from '@parts-forge/contract/reviews';
import { readUserSummary } from '@parts-forge/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';

/** A customer in figures, for administrators. It has orders in it, so it is read anew with them. */
export const userSummaryQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'summary', email],
    queryFn: ({ signal }) => callShop(readUserSummary, { params: { email }, signal }),
  });

/** The orders of one customer, by the id of their account, that stand, or with `isEnded` those that ended, newest first. */
export const ordersOfCustomerQueryOptions = (user: string, isEnded: boolean) =>
  listQueryOptions(['orders', 'of', user, isEnded], (page, signal) =>
    callList(listOrders, { query: { ...page, user, ...(isEnded && { closed: 'true' }) }, signal }),
  );

/** Removes somebody's review for good. Done when the customer's page shows it. */
export function useDeleteReview(email: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(deleteReview, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: userSummaryQueryOptions(email).queryKey }),
  });
}
