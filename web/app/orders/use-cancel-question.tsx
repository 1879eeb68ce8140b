import { messages } from '@parts-forge/contract/calls/messages';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { OrderInBrief } from './order-in-brief.tsx';
import { useCancelOrder } from './queries.ts';

/**
 * Confirms the cancelling of an unpaid order (specification §2, "Modals").
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
    <ConfirmDialog
      title="Cancel this order?"
      safe="Keep order"
      confirm="Cancel order"
      busy={cancel.isPending}
      busyLabel="Cancelling…"
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
    >
      <OrderInBrief order={order} isForAdmin={whose === 'everybodys'} />
      <p>
        {whose === 'own'
          ? 'The order ends and cannot be brought back. It stays under Ended.'
          : `${formatPieces(order.quantity)} pieces go back into stock, and the customer gets a mail. The order cannot be brought back; it stays among the cancelled ones, with its trail.`}
      </p>
    </ConfirmDialog>
  ));
}
