import { formatPieces } from '@parts-forge/contract/money/money';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import type { PartFacts } from '@parts-forge/contract/products/instead';
import type { Product } from '@parts-forge/contract/products/products';
import { describeExpected } from './expected-day.ts';

/** A line of the batch or of orders; most are not short. `instead` is undefined before the shop has answered. */
export interface ShortLine extends Pick<BatchLine, 'quantity' | 'gone' | 'instead'> {
  /** Without a price if it is no longer sold. */
  product: PartFacts | Product;
}

/**
 * Why a part cannot be ordered, or not in these pieces, when more is expected and whether something else fits.
 * @param timeZone of the shop
 */
export function explainShort(line: ShortLine, timeZone: string): string {
  const { product, quantity, gone } = line;
  if (gone || !('price' in product)) return `This part is no longer sold.${explainInstead(line)}`;
  const day = describeExpected(product, timeZone);
  const more = day === null ? '' : ` More is expected on ${day}.`;
  return `${describeStock(quantity, product)}.${more}${explainInstead(line)}`;
}

/** `30 of 120 are in stock`. */
export function describeStock(pieces: number, { quantity, minimumOrder }: Product): string {
  const of = pieces > quantity ? ` of ${formatPieces(pieces)}` : '';
  const have = `${quantity === 0 ? 'None' : formatPieces(quantity)}${of} ${quantity > 1 ? 'are' : 'is'} in stock`;
  const isTooFew = quantity > 0 && quantity < minimumOrder;
  return isTooFew ? `${have}, fewer than the minimum order of ${formatPieces(minimumOrder)}` : have;
}

/** A sentence after another one; empty before the shop has answered. */
export function explainInstead({ product: { fits }, instead }: ShortLine): string {
  if (!instead) return '';
  const [first] = instead;
  if (first) return first.named ? ' Its successor is below.' : ' What fits instead is below.';
  const models = fits.length === 1 ? 'its model' : `its ${formatPieces(fits.length)} models`;
  return fits.length === 0 ? ' No other part is named for it.' : ` Nothing else fits ${models}.`;
}
