import { formatAmount, formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { ProductSummary } from '#app/products/product-cell.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';

interface CancelDialogProps {
  order: Order;
  /** For administrators; absent on one's own orders. */
  customer?: string;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Confirms the cancelling of an unpaid order (specification §2, "Modals"). */
export function CancelDialog({ order, customer, busy, onClose, onConfirm }: CancelDialogProps) {
  return (
    <ConfirmDialog
      title="Cancel this order?"
      safe="Keep order"
      confirm="Cancel order"
      busy={busy}
      busyLabel="Cancelling…"
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <ProductSummary
        image={order.image}
        name={order.productName}
        figures={
          <>
            {formatPieces(order.quantity)} pieces, {formatAmount(order.totalPrice)}
            {customer !== undefined && (
              <>
                , <bdi>{customer}</bdi>
              </>
            )}
          </>
        }
      />
      <p>
        {customer === undefined
          ? 'The order ends and cannot be brought back. It stays under Ended.'
          : `${formatPieces(order.quantity)} pieces go back into stock, and the customer gets a mail. The order cannot be brought back; it stays among the cancelled ones, with its trail.`}
      </p>
    </ConfirmDialog>
  );
}
