import { messages } from '@parts-forge/contract/calls/messages';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { toast } from '#app/ui/toast.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { useCancelOrder } from './queries.ts';

/**
 * `ask` opens the dialog, `dialog` is the open one.
 * @param onRefused called when the order can no longer be cancelled
 * @param whose `everybodys` names the customer in the dialog
 * @param onCancelled after the success
 */
export function useCancelQuestion(
  onRefused: (order: Order, error: Error) => void,
  whose: 'own' | 'everybodys',
  onCancelled: (order: Order) => void = () => undefined,
) {
  const [order, setOrder] = useState<Order | null>(null);
  const cancel = useCancelOrder();
  const close = () => setOrder(null);
  const confirm = (asked: Order) =>
    cancel.mutate(asked._id, {
      onSuccess: () => {
        toast('success', messages.orderCancelled);
        onCancelled(asked);
      },
      onError: (error) => onRefused(asked, error),
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
