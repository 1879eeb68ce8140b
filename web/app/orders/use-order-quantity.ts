import { toCents } from '@parts-forge/contract/money';
import { totalCents } from '@parts-forge/contract/pricing';
import type { Product } from '@parts-forge/contract/products';
import { refuseQuantity } from '@parts-forge/contract/quantity';
import { useState } from 'react';

export interface OrderQuantity {
  /** As typed. */
  text: string;
  setText: (text: string) => void;
  /** null for an empty field */
  pieces: number | null;
  /** Why it cannot be ordered; null when it can. */
  message: string | null;
  /** What it costs in cents, also while it cannot be ordered. */
  totalCents: number;
  /** Back to the minimum order. */
  reset: () => void;
}

/** How many pieces of a product are ordered: the minimum order to begin with (specification §9). */
export function useOrderQuantity(product: Product): OrderQuantity {
  const initialText = String(product.minimumOrder);
  const [text, setText] = useState(initialText);
  const pieces = text.trim() === '' ? null : Number(text);
  return {
    text,
    setText,
    pieces,
    message: refuseQuantity(pieces, product)?.message ?? null,
    totalCents: totalCents(Math.max(0, Math.trunc(pieces ?? 0)), toCents(product.price)),
    reset: () => setText(initialText),
  };
}
