import { formatPieces } from '@parts-forge/contract/money/money';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useState } from 'react';
import { useBatch } from '#app/batch/use-batch.ts';
import { Button, type ButtonKind } from '#app/ui/button.tsx';
import { useOnline } from '#app/ui/use-online.ts';

interface OrderAgainButtonProps {
  order: Order;
  kind: ButtonKind;
  size: 'bar' | 'row';
  className?: string;
}

/** Adds the pieces to the batch at the current price. */
export function OrderAgainButton({ order, kind, size, className }: OrderAgainButtonProps) {
  const { add } = useBatch();
  const online = useOnline();
  const [busy, setBusy] = useState(false);
  const addPieces = async () => {
    setBusy(true);
    await add(order.productId, order.quantity);
    setBusy(false);
  };
  return (
    <Button
      kind={kind}
      size={size}
      {...(className !== undefined && { className })}
      aria-label={
        size === 'row'
          ? `Order again: ${formatPieces(order.quantity)} pieces of ${order.productName}`
          : undefined
      }
      busy={busy}
      busyLabel="Adding…"
      disabled={!online}
      onClick={addPieces}
    >
      Order again
    </Button>
  );
}
