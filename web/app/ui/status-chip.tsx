import type { messages } from '@parts-forge/contract/messages';
import type { OrderClosing, statusLabel } from '@parts-forge/contract/order-states';
import type { ReactNode } from 'react';

/** The order statuses as they are shown, how an order ended, and `stop` for a part that cannot be ordered. */
export type ChipStatus = ReturnType<typeof statusLabel> | OrderClosing | typeof messages.shipped | 'stop';

/** A status as shape, word and colour. Without children it reads as its status. */
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
