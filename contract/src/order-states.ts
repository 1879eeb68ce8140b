/** The states of an order and the moves between them (specification §4); nothing else moves an order, and nothing back. */

export const ORDER_STATUSES = ['due', 'pending', 'paid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How an order ends that does not stand any more: it is gone from every list that does not ask for closed ones. */
export const ORDER_CLOSINGS = ['cancelled', 'expired', 'refunded'] as const;
export type OrderClosing = (typeof ORDER_CLOSINGS)[number];

interface Move {
  from: OrderStatus;
  to: OrderStatus;
  /** The order is closed by the move and keeps its status. */
  closes?: OrderClosing;
  refusal: string;
}

/**
 * Every move of an order that stands: the status that it starts from and the one it leads to. `refund` gives back the
 * money of an order that was not shipped, `refundShipped` of one that was, which stays.
 */
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
/** How far the giving back of money is: `failed` means that the customer has not got it and that it is tried again. */
export type RefundState = (typeof REFUND_STATES)[number];

/** Whether an order of this status can make the move. */
export const canMove = (status: OrderStatus, move: OrderMove): boolean => orderMoves[move].from === status;

/** The move that gives an order's money back; null where there is no money to give back. */
export const findRefundMove = (status: OrderStatus): 'refund' | 'refundShipped' | null =>
  (['refund', 'refundShipped'] as const).find((move) => canMove(status, move)) ?? null;

/** What people read: a due order is 'unpaid' (specification §4). */
export const statusLabel = (status: OrderStatus) => (status === 'due' ? 'unpaid' : status);
