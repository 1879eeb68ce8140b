/** Changes acknowledged by the shop, which must persist. */
export interface Journal {
  /** By idempotency key, which is also in the order's address. */
  placed: Map<string, { orderId: string; quantity: number }>;
  cancelled: Set<string>;
  /** Orders with a recorded payment. */
  recorded: Set<string>;
  accepted: Set<string>;
  refunded: Set<string>;
}

export const createJournal = (): Journal => ({
  placed: new Map(),
  cancelled: new Set(),
  recorded: new Set(),
  accepted: new Set(),
  refunded: new Set(),
});
