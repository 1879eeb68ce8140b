import { messages } from '@parts-forge/contract/messages';
import type { Order } from '@parts-forge/contract/orders';
import { useState } from 'react';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useRefundOrder } from './queries.ts';
import { RefundDialog } from './refund-dialog.tsx';

/**
 * Gives the money of orders of a list back after a question. `ask` opens the question, `dialog` is the open one; an
 * order that cannot be refunded any more gets a notice in the place of its row.
 */
export function useRefundQuestion(notices: RowNotices<Order>) {
  const [order, setOrder] = useState<Order | null>(null);
  const refund = useRefundOrder();
  const close = () => setOrder(null);
  const confirm = (asked: Order, returnStock: boolean) =>
    refund.mutate(
      { order: asked, returnStock },
      {
        onSuccess: () => toast('success', messages.orderRefunded),
        onError: (error) => notices.add(asked, error),
        onSettled: close,
      },
    );
  const dialog = order && (
    <RefundDialog
      order={order}
      busy={refund.isPending}
      onClose={close}
      onConfirm={(returnStock) => confirm(order, returnStock)}
    />
  );
  return { ask: setOrder, dialog };
}
