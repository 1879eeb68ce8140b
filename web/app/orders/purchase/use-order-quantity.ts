import { MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import { formatCents } from '@parts-forge/contract/money';
import { totalCents, unitPriceFor } from '@parts-forge/contract/pricing';
import type { Product } from '@parts-forge/contract/products';
import { type QuantityRefusal, readNumberText, refuseQuantity } from '@parts-forge/contract/quantity';
import { useState } from 'react';

export interface OrderQuantity {
  /** As typed. */
  text: string;
  setText: (text: string) => void;
  /** What the field begins with. */
  initialText: string;
  /** null for an empty field */
  pieces: number | null;
  /** Why it cannot be ordered; null when it can. */
  refusal: QuantityRefusal | null;
  /** What one piece costs at this quantity and all of them, in cents, also while it cannot be ordered. */
  priceCents: number;
  totalCents: number;
  /** Back to the minimum order. */
  reset: () => void;
}

/** What all pieces cost, in words; a dash where it is more than one payment can hold. */
export const formatTotal = ({ totalCents: cents }: Pick<OrderQuantity, 'totalCents'>): string =>
  cents > MAX_TOTAL_CENTS ? '–' : formatCents(cents);

/**
 * How many pieces of a product are ordered: the minimum order to begin with (specification §9).
 * @param asked how many were asked for on the page before, as its address has it; null when nothing was
 */
export function useOrderQuantity(product: Product, asked: string | null = null): OrderQuantity {
  const leastText = String(product.minimumOrder);
  const initialText = asked && /^\d{1,9}$/.test(asked) ? String(Number(asked)) : leastText;
  const [text, setText] = useState(initialText);
  const pieces = text.trim() === '' ? null : readNumberText(text);
  const counted = Math.max(0, Math.trunc(pieces ?? 0));
  const priceCents = unitPriceFor(counted, product);
  return {
    text,
    setText,
    initialText,
    pieces,
    refusal: refuseQuantity(pieces, product),
    priceCents,
    totalCents: totalCents(counted, priceCents),
    reset: () => setText(leastText),
  };
}
