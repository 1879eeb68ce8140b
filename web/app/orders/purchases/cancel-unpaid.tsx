import { formatAmount, formatCount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { toShopProblem } from '#app/errors/to-shop-problem.ts';
import { FormError } from '#app/forms/form-error.tsx';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { useCancelOrders } from '#app/orders/queries.ts';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { toast } from '#app/ui/toast.tsx';

interface CancelUnpaidProps {
  orders: readonly Order[];
  onRefused: (order: Order, error: Error) => void;
  onClose: () => void;
}

export function CancelUnpaid({ orders, onRefused, onClose }: CancelUnpaidProps) {
  const cancel = useCancelOrders();
  const send = () =>
    cancel.mutate(
      orders.map(({ _id }) => _id),
      {
        onSuccess: ({ data }) => {
          for (const [at, { error }] of data.entries()) {
            const order = orders[at];
            if (order && error) onRefused(order, toShopProblem(error));
          }
          const done = data.filter(({ ok }) => ok).length;
          toast('success', `${done} of ${formatCount(orders.length, 'order')} cancelled`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Cancel ${formatCount(orders.length, 'order')}?`}
      safe="Keep"
      confirm={`Cancel ${formatCount(orders.length, 'order')}`}
      busy={cancel.isPending}
      busyLabel="Cancelling…"
      failure={cancel.error}
      onClose={onClose}
      onConfirm={send}
    >
      <p className="num">
        {formatAmount(sumOrders(orders))} in all, not paid. The pieces go back into stock. The orders cannot
        be brought back; they stay among the cancelled ones.
      </p>
      <FormError error={cancel.error} className="mt-3" />
    </ConfirmDialog>
  );
}
