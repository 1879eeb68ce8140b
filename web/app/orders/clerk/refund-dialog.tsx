import { MAX_REFUND_REASON } from '@parts-forge/contract/bounds';
import { formatAmount, formatPieces } from '@parts-forge/contract/money';
import { canMove } from '@parts-forge/contract/order-states';
import { countRefundable, type Order } from '@parts-forge/contract/orders';
import { useState } from 'react';
import type { RefundAnswer } from '#app/orders/queries.ts';
import { ProductSummary } from '#app/products/product-cell.tsx';
import { ConfirmDialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';

interface RefundDialogProps {
  order: Order;
  busy: boolean;
  onClose: () => void;
  onConfirm: (answer: RefundAnswer) => void;
}

/** Confirms a refund and asks whether the pieces return to stock. */
export function RefundDialog({ order, busy, onClose, onConfirm }: RefundDialogProps) {
  // Unshipped pieces are in the warehouse; shipped ones may never return.
  const isOpen = order.closed === undefined;
  const isInHouse = isOpen && canMove(order.status, 'accept');
  const [returnStock, setReturnStock] = useState(isInHouse);
  const [reason, setReason] = useState('');
  const left = countRefundable(order);
  return (
    <ConfirmDialog
      title="Refund this order?"
      safe="Keep payment"
      confirm="Refund order"
      busy={busy}
      busyLabel="Refunding…"
      onClose={onClose}
      onConfirm={() => onConfirm({ returnStock, reason: reason.trim() })}
    >
      <ProductSummary
        image={order.image}
        name={order.productName}
        figures={`${formatPieces(order.quantity)} pieces, ${formatAmount(left)}`}
      />
      <p className="[overflow-wrap:anywhere]">
        {formatAmount(left)} go back to the card of <bdi>{order.name}</bdi>.
        {isInHouse && ' The order is closed and cannot be brought back.'}
      </p>
      <div className="mt-4 text-base-content">
        <Field
          label="Reason (optional)"
          hint="Kept with the refund."
          maxLength={MAX_REFUND_REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
      {isOpen && (
        <label className="mt-4 flex items-center gap-3 text-base-content">
          <input
            type="checkbox"
            className="checkbox checkbox-neutral size-6 rounded-[3px]"
            checked={returnStock}
            onChange={(event) => setReturnStock(event.target.checked)}
          />
          Return {formatPieces(order.quantity)} pieces to the stock
        </label>
      )}
    </ConfirmDialog>
  );
}
