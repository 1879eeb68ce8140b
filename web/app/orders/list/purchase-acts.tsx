import type { Order } from '@parts-forge/contract/orders/orders';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { toastError } from '#app/errors/toast-error.ts';
import { refuseSeveralAddresses } from '#app/orders/clerk/chosen-for-clerk.tsx';
import type { Acceptance } from '#app/orders/clerk/use-acceptance.tsx';
import { takePayable } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { type AskedOfPurchase, PurchaseQuestion } from '#app/orders/purchases/purchase-question.tsx';
import { purchaseQueryOptions } from '#app/orders/queries.ts';
import { isPayable, isToSend } from '#app/orders/states/order-conditions.ts';
import { useQuestion } from '#app/ui/use-question.ts';
import type { RowsChoice } from './use-row-choice.ts';

export type PurchaseAct = AskedOfPurchase['act'] | 'pay';
export type PurchaseActs = Omit<ReturnType<typeof usePurchaseActs>, 'dialog'>;

/**
 * Acts on all orders of a row's purchase, as they are when it is pressed.
 * @param email the customer's; null for administrators
 */
export function usePurchaseActs(
  email: string | null,
  notices: Pick<RowNotices<Order>, 'addOneOfMany'>,
  choice: RowsChoice,
  many?: Acceptance['many'],
) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const question = useQuestion((asked: AskedOfPurchase, close) => (
    <PurchaseQuestion
      {...asked}
      onAccept={(orders) => many?.start(orders, choice.drop)}
      onRefused={notices.addOneOfMany}
      onAdded={choice.drop}
      onClose={close}
    />
  ));
  const reading = useMutation({
    mutationFn: ({ row }: { row: Order; act: PurchaseAct }) =>
      queries.fetchQuery({ ...purchaseQueryOptions(String(row.purchase?.number), email), staleTime: 0 }),
    onSuccess: (lines, { act }) => {
      if (act === 'pay') return navigate(getPaymentPath(takePayable(lines.filter(isPayable))));
      if (act !== 'parcel' || !refuseSeveralAddresses(lines.filter(isToSend))) question.ask({ act, lines });
    },
    onError: toastError,
  });
  return {
    ask: (row: Order, wanted: PurchaseAct) => reading.mutate({ row, act: wanted }),
    isReading: (row: Order) => reading.isPending && reading.variables.row._id === row._id,
    dialog: question.dialog,
  };
}
