import { LRUCache } from 'lru-cache';
import type { ChangeFeed, StockAfterOrder } from '#src/platform/database/change-feed.ts';
import type { NumberedProduct } from './store.ts';

/** A few megabytes; the least recently read go first. */
const MAX_PARTS = 1000;

interface Entry {
  /** Null while it is read. */
  part: NumberedProduct | null;
  /** The last order that was heard of while it is read. */
  left: StockAfterOrder | null;
}

/**
 * Parts as they are now, so that one that was just ordered is not read anew: the order says what it has left
 * (docs/decisions/0099). Whatever else changes a part, or may have changed it unheard, makes it forgotten.
 */
export interface PartMemory {
  /** @returns the part as it is, to be changed by nobody; null when that is not known */
  find(id: string): NumberedProduct | null;
  /**
   * Says that the part is being read from now on.
   * @returns keeps what was read, unless something else than an order here changed the part meanwhile
   */
  begin(id: string): (part: NumberedProduct) => void;
}

export function createPartMemory(changes: Pick<ChangeFeed, 'isConnected' | 'subscribe'>): PartMemory {
  const entries = new LRUCache<string, Entry>({ max: MAX_PARTS });

  changes.subscribe((changed, published) => {
    if (changed === 'all') entries.clear();
    else if (published && published !== 'elsewhere') noteOrder(published);
    else
      for (const tag of changed)
        if (tag.startsWith(PRODUCT_TAG)) entries.delete(tag.slice(PRODUCT_TAG.length));
  });

  function noteOrder(left: StockAfterOrder): void {
    const entry = entries.peek(left.productId);
    if (!entry) return;
    if (entry.part) addOrder(entry, entry.part, left);
    else if (left.number > (entry.left?.number ?? 0)) entry.left = left;
  }

  /**
   * Answers of the database come in any order: of two orders the later one may be heard of first, and one that is in a part
   * that was read may be heard of after it. What is no later than what is known makes the part unknown.
   */
  function addOrder(entry: Entry, { product, number }: NumberedProduct, left: StockAfterOrder): void {
    if (left.number <= number) entries.delete(left.productId);
    else {
      const { quantity, updatedAt } = left;
      entry.part = {
        product: { ...product, quantity, updatedAt: updatedAt.toISOString() },
        number: left.number,
      };
    }
  }

  return {
    find: (id) => (changes.isConnected ? (entries.get(id)?.part ?? null) : null),
    begin(id) {
      // What changes the part takes it out again, and whoever begins later puts another in its place.
      const entry: Entry = { part: null, left: null };
      entries.set(id, entry);
      return (part) => {
        if (!changes.isConnected) return;
        if (entry.left) addOrder(entry, part, entry.left);
        else entry.part = part;
      };
    },
  };
}

const PRODUCT_TAG = 'product:';
