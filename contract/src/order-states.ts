/** The states of an order and the moves between them (specification §4); nothing else moves an order, and nothing back. */

export const ORDER_STATUSES = ['due', 'pending', 'paid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The status that each move starts from, and the one it leads to; null where the order is gone afterwards. */
export const orderMoves = {
  pay: { from: 'due', to: 'pending', refusal: 'already-paid' },
  accept: { from: 'pending', to: 'paid', refusal: 'not-pending' },
  cancel: { from: 'due', to: null, refusal: 'not-due' },
} as const satisfies Record<string, { from: OrderStatus; to: OrderStatus | null; refusal: string }>;
export type OrderMove = keyof typeof orderMoves;

/** Whether an order of this status can make the move. */
export const canMove = (status: OrderStatus, move: OrderMove): boolean => orderMoves[move].from === status;

/** What people read: a due order is 'unpaid' (specification §4). */
export const statusLabel = (status: OrderStatus) => (status === 'due' ? 'unpaid' : status);
