import type { BatchLine } from '@parts-forge/contract/batch';
import { messages } from '@parts-forge/contract/messages';
import { formatPieces, toCents } from '@parts-forge/contract/money';
import { unitPriceFor } from '@parts-forge/contract/pricing';
import { maxOrder, nearestSteps, quantityRefusals } from '@parts-forge/contract/quantity';

/** A sentence whose numbers are quantities to press. */
export type Sentence = readonly (string | number)[];

/** Whether the part can be ordered in any quantity. */
export const canOrder = ({ product, gone }: Pick<BatchLine, 'product' | 'gone'>): boolean =>
  !gone && maxOrder(product) >= product.minimumOrder;

/**
 * Names valid quantities too; null when the line can be ordered.
 * @param pieces as typed; null for an empty field
 */
export function explainLine(pieces: number | null, { product, gone }: BatchLine): Sentence | null {
  if (gone) return ['This part is no longer sold. Remove the line.'];
  if (!canOrder({ product })) return ['Out of stock. Remove the line to order the others.'];
  const most = maxOrder(product);
  const reasons = quantityRefusals(pieces, product);
  const codes = reasons.map(({ code }) => code);
  if (pieces === null || codes.includes('invalid')) return [reasons[0]?.message ?? messages.quantityRequired];
  if (codes.includes('below-minimum')) return ['Minimum order ', product.minimumOrder, '.'];
  if (codes.includes('above-stock')) {
    return [`${formatPieces(product.quantity)} left. Order `, most, ' or fewer.'];
  }
  if (codes.includes('wrong-step')) {
    const [first, second] = nearestSteps(pieces, product);
    const steps = `Order in steps of ${formatPieces(product.orderStep)}: `;
    if (first === undefined) return [steps.replace(': ', '.')];
    return second === undefined ? [steps, first, '.'] : [steps, first, ' or ', second, '.'];
  }
  return codes.includes('amount-too-large') ? [messages.amountTooLarge] : null;
}

/** The unit price in cents at the line's last change; null if it is the same now. */
export function findFormerPrice({ product, quantity, price, gone }: BatchLine): number | null {
  const former = toCents(price);
  return gone || former === unitPriceFor(quantity, product) ? null : former;
}
