import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { countPieces } from '@parts-forge/contract/files/number-text';
import { formatCents } from '@parts-forge/contract/money/money';
import { lineCents, unitPriceFor } from '@parts-forge/contract/money/pricing';
import { type QuantityRefusal, refuseQuantity } from '@parts-forge/contract/orders/quantity';
import type { Product } from '@parts-forge/contract/products/products';
import { useState } from 'react';

export interface OrderQuantity {
  text: string;
  setText: (text: string) => void;
  /** The field's first text. */
  initialText: string;
  /** 0 if empty, unreadable or negative. */
  pieces: number;
  /** null when the quantity can be ordered. */
  refusal: QuantityRefusal | null;
  /** Unit price at this quantity and total, in cents; also for a refused quantity. */
  priceCents: number;
  totalCents: number;
  /** Back to the minimum order. */
  reset: () => void;
}

/** A dash above the limit of one payment. */
export const formatTotal = ({ totalCents: cents }: Pick<OrderQuantity, 'totalCents'>): string =>
  cents > MAX_TOTAL_CENTS ? '–' : formatCents(cents);

/**
 * Begins with the minimum order (specification §9).
 * @param asked quantity in the page's address; null when absent
 */
export function useOrderQuantity(product: Product, asked: string | null = null): OrderQuantity {
  const leastText = String(product.minimumOrder);
  const initialText = asked && /^\d{1,9}$/.test(asked) ? String(Number(asked)) : leastText;
  const [text, setText] = useState(initialText);
  const pieces = countPieces(text);
  return {
    text,
    setText,
    initialText,
    pieces,
    refusal: refuseQuantity(text, product),
    priceCents: unitPriceFor(pieces, product),
    totalCents: lineCents(pieces, product),
    reset: () => setText(leastText),
  };
}
