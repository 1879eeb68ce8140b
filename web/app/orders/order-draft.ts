/** What was typed into an order form, for the way over /login and back. */
export interface OrderDraft {
  /** Whose it is: nobody else gets to see it. */
  email: string;
  address: string;
  phone: string;
  /** As typed. */
  quantity: string;
}

const keyOf = (productId: string) => `order:${productId}`;

/** Keeps the draft for as long as this tab is open. */
export function keepDraft(productId: string, draft: OrderDraft): void {
  try {
    sessionStorage.setItem(keyOf(productId), JSON.stringify(draft));
  } catch {
    // Without storage it is typed once more.
  }
}

/** What this person typed before; null for nothing. */
export function readDraft(productId: string, email: string): OrderDraft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(keyOf(productId)) ?? 'null') as OrderDraft | null;
    return draft?.email === email ? draft : null;
  } catch {
    return null;
  }
}

export function dropDraft(productId: string): void {
  try {
    sessionStorage.removeItem(keyOf(productId));
  } catch {
    // Without storage there is none.
  }
}
