import { messages } from '@parts-forge/contract/calls/messages';
import type { Order } from '@parts-forge/contract/orders/orders';
import { toast } from '#app/ui/toast.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { useCancelOrder } from './queries.ts';

/**
 * @param onRefused called when the order can no longer be cancelled
 * @param whose `everybodys` names the customer in the dialog
 * @param onCancelled after the success
 */
export function useCancelQuestion(
  onRefused: (order: Order, error: Error) => void,
  whose: 'own' | 'everybodys',
  onCancelled: (order: Order) => void = () => undefined,
) {
  const cancel = useCancelOrder();
  return useQuestion((order: Order, close) => (
    <CancelDialog
      order={order}
      {...(whose === 'everybodys' && { customer: order.name })}
      busy={cancel.isPending}
      onClose={close}
      onConfirm={() =>
        cancel.mutate(order._id, {
          onSuccess: () => {
            toast('success', messages.orderCancelled);
            onCancelled(order);
          },
          onError: (error) => onRefused(order, error),
          onSettled: close,
        })
      }
    />
  ));
}
