/** The only moves of an order (specification §4); none goes back. */

export const ORDER_STATUSES = ['due', 'pending', 'paid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Closed orders are hidden by default. */
export const ORDER_CLOSINGS = ['cancelled', 'expired', 'refunded'] as const;
export type OrderClosing = (typeof ORDER_CLOSINGS)[number];

interface Move {
  from: OrderStatus;
  to: OrderStatus;
  /** Closes the order; its status stays. */
  closes?: OrderClosing;
  refusal: string;
}

/** `refund` is before shipping and closes the order; `refundShipped` leaves it open. */
export const orderMoves = {
  pay: { from: 'due', to: 'pending', refusal: 'already-paid' },
  accept: { from: 'pending', to: 'paid', refusal: 'not-pending' },
  cancel: { from: 'due', to: 'due', closes: 'cancelled', refusal: 'not-due' },
  expire: { from: 'due', to: 'due', closes: 'expired', refusal: 'not-due' },
  refund: { from: 'pending', to: 'pending', closes: 'refunded', refusal: 'not-refundable' },
  refundShipped: { from: 'paid', to: 'paid', refusal: 'not-refundable' },
} as const satisfies Record<string, Move>;
export type OrderMove = keyof typeof orderMoves;

export const REFUND_STATES = ['pending', 'succeeded', 'failed'] as const;
/** `failed`: the customer has no money yet, and the shop retries. */
export type RefundState = (typeof REFUND_STATES)[number];

export const canMove = (status: OrderStatus, move: OrderMove): boolean => orderMoves[move].from === status;

/** Null for an unpaid order. */
export const findRefundMove = (status: OrderStatus): 'refund' | 'refundShipped' | null =>
  (['refund', 'refundShipped'] as const).find((move) => canMove(status, move)) ?? null;

export const statusLabel = (status: OrderStatus) => (status === 'due' ? 'unpaid' : status);
