import { MAX_CHOSEN_ORDERS } from '@parts-forge/contract/calls/bounds';
import { useMutation } from '@tanstack/react-query';
import { describeError } from '#app/errors/describe-error.ts';
import { readMatchingOrders } from '#app/orders/queries.ts';
import { toast } from '#app/ui/toast.tsx';
import type { useOrderList } from './use-order-list.ts';
import type { RowsChoice } from './use-row-choice.ts';

interface ChooseMatchingProps {
  choice: RowsChoice;
  orders: ReturnType<typeof useOrderList>;
}

/** Orders that come later stay unchosen. */
export function ChooseMatching({ choice, orders: { list, shown } }: ChooseMatchingProps) {
  const reading = useMutation({ mutationFn: readMatchingOrders });
  const pages = list.data?.pages ?? [];
  if (!list.hasNextPage && pages.every(({ rows }) => rows.every(choice.has))) return null;
  const total = pages[0]?.total;
  const hasPurchase = pages.some(({ rows }) => rows.some(({ purchase }) => purchase?.row));
  // Callbacks of this call, not of the hook: the answer for a filter that was left is dropped.
  const choose = () =>
    reading.mutate(shown, {
      onSuccess: choice.add,
      onError: (error) => toast('error', describeError(error)),
    });
  return (
    <button type="button" className="pf-link num" aria-busy={reading.isPending || undefined} onClick={choose}>
      {Number(total?.replace('+', '')) > MAX_CHOSEN_ORDERS
        ? `Choose ${MAX_CHOSEN_ORDERS} of ${total}`
        : `Choose all ${total} ${hasPurchase ? 'rows' : 'that match'}`}
    </button>
  );
}
