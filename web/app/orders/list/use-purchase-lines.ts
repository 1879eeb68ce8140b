import type { Order } from '@parts-forge/contract/orders/orders';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeError } from '#app/errors/describe-error.ts';
import { purchaseQueryOptions } from '#app/orders/queries.ts';
import { toast } from '#app/ui/toast.tsx';

/**
 * For an act on a row: reads the orders of its purchase as they are now.
 * @param email null for administrators
 */
export function usePurchaseLines(email: string | null) {
  const queries = useQueryClient();
  const reading = useMutation({
    mutationFn: ({ purchase }: Order) =>
      queries.fetchQuery({ ...purchaseQueryOptions(String(purchase?.number), email), staleTime: 0 }),
    onError: (error) => toast('error', describeError(error)),
  });
  return {
    read: (row: Order, onRead: (lines: readonly Order[]) => void) =>
      reading.mutate(row, { onSuccess: onRead }),
    isReading: (row: Order) => reading.isPending && reading.variables._id === row._id,
  };
}
