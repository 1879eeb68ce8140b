import { actOnOrders, type BulkResult } from '@parts-forge/contract/order-bulk';
import type { Order } from '@parts-forge/contract/orders';
import { problems, problemType } from '@parts-forge/contract/problems';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { useSentOnce } from '#app/calls/use-sent-once.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { toast } from '#app/ui/toast.tsx';

interface Outcomes {
  onAccepted: (order: Order) => void;
  onRefused: (order: Order, error: Error) => void;
}

/** Accepts orders in one request, repeated safely after a lost answer. */
export function useAcceptMany({ onAccepted, onRefused }: Outcomes) {
  const queries = useQueryClient();
  const { send } = useSentOnce<{ ids: string[] }>('accept-many', useSignedInUser().email, (body) => body);
  const mutation = useMutation({
    mutationFn: (orders: readonly Order[]) =>
      send({ ids: orders.map(({ _id }) => _id) }, ({ ids }, headers) =>
        callShop(actOnOrders, { body: { act: 'accept', ids }, headers }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['orders'] }),
  });
  const start = (orders: readonly Order[], onDone: (accepted: ReadonlySet<string>) => void) =>
    mutation.mutate(orders, {
      onSuccess: ({ data }) => {
        for (const { id, error } of data) {
          const order = orders.find(({ _id }) => _id === id);
          if (order && error) onRefused(order, toShopProblem(error));
          else if (order) onAccepted(order);
        }
        onDone(new Set(data.flatMap(({ id, ok }) => (ok ? [id] : []))));
      },
      onError: (error) => toast('error', describeError(error)),
    });
  const report = mutation.data ? describeResults(mutation.data.data) : undefined;
  return { start, isRunning: mutation.isPending, report };
}

const toShopProblem = ({ code, detail }: NonNullable<BulkResult['error']>) =>
  new ShopProblem(problems[code].status, { type: problemType(code), detail }, new Headers());

function describeResults(results: readonly BulkResult[]): string {
  const accepted = results.filter(({ ok }) => ok).length;
  const refused = results.length - accepted;
  return `${accepted} accepted${refused > 0 ? `, ${refused} not: see their lines` : ''}`;
}
