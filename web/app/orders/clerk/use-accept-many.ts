import { actOnOrders, type BulkResult } from '@parts-forge/contract/orders/order-bulk';
import type { Order } from '@parts-forge/contract/orders/orders';
import { callShop } from '#app/calls/api-client.ts';
import { useChange } from '#app/calls/use-change.ts';
import { useSentOnce } from '#app/calls/use-sent-once.ts';
import { toShopProblem } from '#app/errors/to-shop-problem.ts';
import { toastError } from '#app/errors/toast-error.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';

interface Outcomes {
  onAccepted: (order: Order) => void;
  onRefused: (order: Order, error: Error) => void;
}

/** An attempt without an answer is sent again first, with its key; then what it did not have. */
export function useAcceptMany({ onAccepted, onRefused }: Outcomes) {
  const { send } = useSentOnce<{ ids: string[] }>('accept-many', useSignedInUser().email, () => 'accept');
  const acceptAll = (ids: string[]) =>
    send({ ids }, (body, headers) =>
      callShop(actOnOrders, { body: { act: 'accept', ids: body.ids }, headers }),
    );
  const mutation = useChange(
    async (orders: readonly Order[]) => {
      const ids = orders.map(({ _id }) => _id);
      const { data } = await acceptAll(ids);
      const known = new Set(data.map(({ id }) => id));
      const rest = ids.filter((id) => !known.has(id));
      return rest.length === 0 ? data : [...data, ...(await acceptAll(rest)).data];
    },
    ['orders'],
  );
  const start = (orders: readonly Order[], onDone: (accepted: readonly Order[]) => void) =>
    mutation.mutate(orders, {
      onSuccess: (results) => {
        const named = results.map(({ id, error }) => ({
          error,
          order: orders.find(({ _id }) => _id === id),
        }));
        const accepted = named.flatMap(({ order, error }) => (order && !error ? [order] : []));
        for (const order of accepted) onAccepted(order);
        for (const { order, error } of named) if (order && error) onRefused(order, toShopProblem(error));
        onDone(accepted);
      },
      onError: toastError,
    });
  const report = mutation.data && describeResults(mutation.data);
  return { start, isRunning: mutation.isPending, report, forget: mutation.reset };
}

function describeResults(results: readonly BulkResult[]): string {
  const accepted = results.filter(({ ok }) => ok).length;
  const refused = results.length - accepted;
  return `${accepted} accepted${refused > 0 ? `, ${refused} not: see their lines` : ''}`;
}
