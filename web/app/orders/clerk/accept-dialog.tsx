import { formatAmount } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { OrderInBrief } from '#app/orders/order-in-brief.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';

interface AcceptDialogProps {
  order: Order;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Names a partial refund: confirming accepts the payment despite it. */
export function AcceptDialog({ order, ...rest }: AcceptDialogProps) {
  const { refund } = order;
  return (
    <ConfirmDialog
      {...rest}
      kind="primary"
      title="Accept this payment?"
      safe="Not yet"
      confirm="accept payment"
      busyLabel="Accepting…"
    >
      <OrderInBrief order={order} isForAdmin />
      <p className="[overflow-wrap:anywhere]">
        {refund && (refund.state !== 'failed' || refund.unassigned !== refund.amount) && (
          <strong className="font-semibold text-base-content">
            {formatAmount(refund.amount)} of {refund.unassigned === undefined ? 'it' : 'its payment'} were
            refunded.{' '}
          </strong>
        )}
        The shop asks the payment provider once more. The order then counts as shipped, and the customer gets
        a mail.
      </p>
    </ConfirmDialog>
  );
}
