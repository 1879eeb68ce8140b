import { messages } from '@parts-forge/contract/calls/messages';
import { formatAmount } from '@parts-forge/contract/money/money';
import { countRefundable, type Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { OfflineError } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { type RefundAnswer, useRefundOrder } from '#app/orders/queries.ts';
import { toast } from '#app/ui/toast.tsx';
import { RefundDialog } from './refund-dialog.tsx';

/**
 * `ask` opens the dialog, `dialog` is the open one.
 * @param onRefused called when the order can no longer be refunded
 */
export function useRefundQuestion(onRefused: (order: Order, error: Error) => void) {
  const [order, setOrder] = useState<Order | null>(null);
  const refund = useRefundOrder(order?._id ?? '', useSignedInUser().email, order?.refund?.amount ?? 0);
  const close = () => {
    setOrder(null);
    refund.reset();
  };
  const confirm = (asked: Order, answer: RefundAnswer) =>
    refund.mutate(answer, {
      onSuccess: ({ refund: { amount } }) => {
        // Money of a shared payment may leave less than the order shows.
        const isWhole = amount === countRefundable(asked);
        toast('success', isWhole ? messages.orderRefunded : `${formatAmount(amount)} refunded`);
        close();
      },
      onError: (error) => {
        // What was typed stays, to be sent again.
        if (error instanceof OfflineError) return;
        onRefused(asked, error);
        close();
      },
    });
  const dialog = order && (
    <RefundDialog
      order={order}
      busy={refund.isPending}
      error={refund.error}
      onClose={close}
      onConfirm={(answer) => confirm(order, answer)}
    />
  );
  return { ask: setOrder, dialog };
}
