import { countPieces } from '@parts-forge/contract/files/number-text';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { formatPieces, toUnitAmount } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import { maxOrder, nearestSteps, refuseQuantity } from '@parts-forge/contract/orders/quantity';
import { describeExpected } from '#app/products/instead/expected-day.ts';

/** A sentence whose numbers are quantities to press. */
export type Sentence = readonly (string | number)[];

/** Whether the part can be ordered in any quantity. */
export const canOrder = ({ product, gone }: Pick<BatchLine, 'product' | 'gone'>): boolean =>
  !gone && maxOrder(product) >= product.minimumOrder;

/**
 * Names valid quantities too; null when the line can be ordered.
 * @param timeZone of the shop
 */
export function explainLine(text: string, line: BatchLine, timeZone: string): Sentence | null {
  const { product, gone } = line;
  if (gone) return [`This part is no longer sold.${explainInstead(line)}`];
  const day = describeExpected(product, timeZone);
  const pieces = countPieces(text);
  if (!canOrder({ product })) {
    const more = day === null ? '' : ` More is expected on ${day}.`;
    return [`${describeStock(pieces, product)}.${more}${explainInstead(line)}`];
  }
  const refusal = refuseQuantity(text, product);
  if (refusal?.code === 'below-minimum') return ['Minimum order ', product.minimumOrder, '.'];
  if (refusal?.code === 'above-stock') {
    const rest = day === null ? ' or fewer.' : ` now, or keep the line until ${day}.`;
    const have = `${describeStock(pieces, product)}. Order `;
    return [have, maxOrder(product), `${rest}${line.instead?.length === 0 ? explainInstead(line) : ''}`];
  }
  if (refusal?.code === 'wrong-step') {
    const [first, second] = nearestSteps(countPieces(text), product);
    const steps = `Order in steps of ${formatPieces(product.orderStep)}: `;
    if (first === undefined) return [steps.replace(': ', '.')];
    return second === undefined ? [steps, first, '.'] : [steps, first, ' or ', second, '.'];
  }
  return refusal && [refusal.message];
}

/** `30 of 120 are in stock`. */
function describeStock(pieces: number, { quantity, minimumOrder }: BatchLine['product']): string {
  const of = pieces > quantity ? ` of ${formatPieces(pieces)}` : '';
  const have = `${quantity === 0 ? 'None' : formatPieces(quantity)}${of} ${quantity > 1 ? 'are' : 'is'} in stock`;
  const isTooFew = quantity > 0 && quantity < minimumOrder;
  return isTooFew ? `${have}, fewer than the minimum order of ${formatPieces(minimumOrder)}` : have;
}

/** A sentence after another one; empty before the shop has answered. */
function explainInstead({ product: { fits }, instead }: BatchLine): string {
  if (!instead) return '';
  const [first] = instead;
  if (first) return first.named ? ' Its successor is below.' : ' What fits instead is below.';
  const models = fits.length === 1 ? 'its model' : `its ${formatPieces(fits.length)} models`;
  return fits.length === 0 ? ' No other part is named for it.' : ` Nothing else fits ${models}.`;
}

/** The unit price in cents at the line's last change; null if it is the same now. */
export function findFormerPrice({ product, quantity, price, gone }: BatchLine): number | null {
  return gone || price === toUnitAmount(unitPriceFor(quantity, product))
    ? null
    : price * shopCurrency().centsInUnit;
}
