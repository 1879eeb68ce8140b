/** What the shop has acknowledged: each of it has to be true for ever. */
export interface Journal {
  /** Orders by their idempotency key, which their address holds, too. */
  placed: Map<string, { orderId: string; quantity: number }>;
  cancelled: Set<string>;
  /** Orders whose payment the shop has taken note of. */
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
