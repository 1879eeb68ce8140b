import { messages } from '@parts-forge/contract/messages';
import type { Order } from '@parts-forge/contract/orders';
import { useState } from 'react';
import type { RowNotices } from '#app/dashboard/use-row-notices.tsx';
import { toast } from '#app/ui/toast.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { useCancelOrder } from './queries.ts';

/**
 * Cancels orders of a list after a question. `ask` opens the question, `dialog` is the open one; an order that cannot
 * be cancelled any more gets a notice in the place of its row.
 * @param whose whether the list is of one's own orders or of everybody's, so that the question names the customer
 */
export function useCancelQuestion(notices: RowNotices<Order>, whose: 'own' | 'everybodys') {
  const [order, setOrder] = useState<Order | null>(null);
  const cancel = useCancelOrder();
  const close = () => setOrder(null);
  const confirm = (asked: Order) =>
    cancel.mutate(asked._id, {
      onSuccess: () => toast('success', messages.orderCancelled),
      onError: (error) => notices.add(asked, error),
      onSettled: close,
    });
  const dialog = order && (
    <CancelDialog
      order={order}
      {...(whose === 'everybodys' && { customer: order.name })}
      busy={cancel.isPending}
      onClose={close}
      onConfirm={() => confirm(order)}
    />
  );
  return { ask: setOrder, dialog };
}
