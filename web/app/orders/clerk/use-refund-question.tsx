import { messages } from '@parts-forge/contract/calls/messages';
import { formatAmount } from '@parts-forge/contract/money/money';
import { countRefundable, type Order } from '@parts-forge/contract/orders/orders';
import { OfflineError } from '#app/http/errors.ts';
import { useSignedInUser } from '#app/identity/signed-in-user.ts';
import { type RefundAnswer, useRefundOrder } from '#app/orders/queries.ts';
import { toast } from '#app/ui/toast.tsx';
import { useQuestion } from '#app/ui/use-question.ts';
import { RefundDialog } from './refund-dialog.tsx';

/** @param onRefused called when the order can no longer be refunded */
export const useRefundQuestion = (onRefused: (order: Order, error: Error) => void) =>
  useQuestion((order: Order, close) => (
    <RefundQuestion order={order} onRefused={onRefused} onClose={close} />
  ));

interface RefundQuestionProps {
  order: Order;
  onRefused: (order: Order, error: Error) => void;
  onClose: () => void;
}

function RefundQuestion({ order, onRefused, onClose }: RefundQuestionProps) {
  const refund = useRefundOrder(order._id, useSignedInUser().email, order.refund?.amount ?? 0);
  const confirm = (answer: RefundAnswer) =>
    refund.mutate(answer, {
      onSuccess: ({ refund: { amount } }) => {
        // Money of a shared payment may leave less than the order shows.
        const isWhole = amount === countRefundable(order);
        toast('success', isWhole ? messages.orderRefunded : `${formatAmount(amount)} refunded`);
        onClose();
      },
      onError: (error) => {
        // What was typed stays, to be sent again.
        if (error instanceof OfflineError) return;
        onRefused(order, error);
        onClose();
      },
    });
  return (
    <RefundDialog
      order={order}
      busy={refund.isPending}
      error={refund.error}
      onClose={onClose}
      onConfirm={confirm}
    />
  );
}
