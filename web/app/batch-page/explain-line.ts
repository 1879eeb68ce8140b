import { countPieces } from '@parts-forge/contract/files/number-text';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { formatPieces, toUnitAmount } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import { maxOrder, nearestSteps, refuseQuantity } from '@parts-forge/contract/orders/quantity';
import { describeExpected } from '#app/products/instead/expected-day.ts';
import { describeStock, explainInstead, explainShort } from '#app/products/instead/short-line.ts';

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
  const { product } = line;
  const pieces = countPieces(text);
  if (!canOrder(line)) return [explainShort({ ...line, quantity: pieces }, timeZone)];
  const day = describeExpected(product, timeZone);
  const refusal = refuseQuantity(text, product);
  if (refusal?.code === 'below-minimum') return ['Minimum order ', product.minimumOrder, '.'];
  if (refusal?.code === 'above-stock') {
    const rest = day === null ? ' or fewer.' : ` now, or keep the line until ${day}.`;
    const have = `${describeStock(pieces, product)}. Order `;
    return [have, maxOrder(product), `${rest}${line.instead?.length === 0 ? explainInstead(line) : ''}`];
  }
  if (refusal?.code === 'wrong-step') {
    const [first, second] = nearestSteps(pieces, product);
    const steps = `Order in steps of ${formatPieces(product.orderStep)}: `;
    if (first === undefined) return [steps.replace(': ', '.')];
    return second === undefined ? [steps, first, '.'] : [steps, first, ' or ', second, '.'];
  }
  return refusal && [refusal.message];
}

/** The unit price in cents at the line's last change; null if it is the same now. */
export function findFormerPrice({ product, quantity, price, gone }: BatchLine): number | null {
  return gone || price === toUnitAmount(unitPriceFor(quantity, product))
    ? null
    : price * shopCurrency().centsInUnit;
}
