import type { Order } from '@parts-forge/contract/orders/orders';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { describeError } from '#app/errors/describe-error.ts';
import { AcceptQuestion, isOneBox } from '#app/orders/clerk/chosen-for-clerk.tsx';
import { type Acceptance, isAcceptable } from '#app/orders/clerk/use-acceptance.tsx';
import { isPayable } from '#app/orders/mine/chosen-for-customer.tsx';
import { OrderAgainDialog } from '#app/orders/mine/order-again-dialog.tsx';
import { takePayable } from '#app/orders/money/sum-orders.ts';
import { getPaymentPath } from '#app/orders/order-path.ts';
import { AddBox } from '#app/orders/parcels/add-parcel.tsx';
import { CancelUnpaid } from '#app/orders/purchases/cancel-unpaid.tsx';
import { isInNoParcel, isPending } from '#app/orders/purchases/describe-purchase.ts';
import { purchaseQueryOptions } from '#app/orders/queries.ts';
import { toast } from '#app/ui/toast.tsx';
import type { RowsChoice } from './use-row-choice.ts';

export type PurchaseAct = 'accept' | 'cancel' | 'parcel' | 'again' | 'pay';
export type PurchaseActs = Omit<ReturnType<typeof usePurchaseActs>, 'dialog'>;

/**
 * Acts on all orders of a row's purchase, as they are when it is pressed.
 * @param email the customer's; null for administrators
 */
export function usePurchaseActs(
  email: string | null,
  notices: Pick<RowNotices<Order>, 'add'>,
  choice: RowsChoice,
  many?: Acceptance['many'],
) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ act: PurchaseAct; lines: readonly Order[] } | null>(null);
  const reading = useMutation({
    mutationFn: ({ row }: { row: Order; act: PurchaseAct }) =>
      queries.fetchQuery({ ...purchaseQueryOptions(String(row.purchase?.number), email), staleTime: 0 }),
    onSuccess: (lines, { act }) => {
      if (act === 'pay') navigate(getPaymentPath(takePayable(lines.filter(isPayable))));
      else if (act !== 'parcel' || isOneBox(lines.filter(isInNoParcel))) setAsked({ act, lines });
    },
    onError: (error) => toast('error', describeError(error)),
  });
  const { act, lines = [] } = asked ?? {};
  const acceptable = lines.filter(isAcceptable);
  const close = () => setAsked(null);
  const refuse = (order: Order, error: Error) => notices.add(order, error, true);
  const accept = () => {
    close();
    many?.start(acceptable, choice.drop);
  };
  return {
    ask: (row: Order, wanted: PurchaseAct) => reading.mutate({ row, act: wanted }),
    isReading: (row: Order) => reading.isPending && reading.variables.row._id === row._id,
    dialog: (
      <>
        {act === 'accept' && (
          <AcceptQuestion
            orders={acceptable}
            leftOut={lines.filter((order) => isPending(order) && !isAcceptable(order))}
            onClose={close}
            onConfirm={accept}
          />
        )}
        {act === 'cancel' && (
          <CancelUnpaid orders={lines.filter(isPayable)} onRefused={refuse} onClose={close} />
        )}
        {act === 'parcel' && (
          <AddBox
            orders={lines.filter(isInNoParcel)}
            onRefused={refuse}
            onAdded={choice.drop}
            onClose={close}
          />
        )}
        {act === 'again' && <OrderAgainDialog orders={lines} onClose={close} />}
      </>
    ),
  };
}
