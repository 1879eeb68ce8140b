import type { messages } from '@parts-forge/contract/calls/messages';
import type { OrderClosing, statusLabel } from '@parts-forge/contract/orders/order-states';
import type { ReactNode } from 'react';

/** The order statuses as shown, and `stop` for a part that cannot be ordered. */
export type ChipStatus = ReturnType<typeof statusLabel> | OrderClosing | typeof messages.shipped | 'stop';

/** Without children it shows the status's own name. */
export function StatusChip({
  status,
  className = '',
  children,
}: {
  status: ChipStatus;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <span className={`pf-status ${className}`.trimEnd()} data-status={status}>
      {children ?? status}
    </span>
  );
}
