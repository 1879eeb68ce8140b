/** Apart from the schemas in `orders.ts`, so that a part's public page loads no validation library. */
import { MAX_TOTAL_CENTS } from '../calls/bounds.ts';
import { aboveStock, belowMinimum, messages, outOfStep } from '../calls/messages.ts';
import type { ProblemCode } from '../calls/problems.ts';
import { explainPieces, explainUnread, readPieces } from '../files/number-text.ts';
import { lineCents, type Priced, unitPriceFor } from '../money/pricing.ts';

export interface QuantityRefusal {
  code: Extract<ProblemCode, 'invalid' | 'below-minimum' | 'above-stock' | 'wrong-step' | 'amount-too-large'>;
  message: string;
}

/** Pieces; `quantity` is the stock. */
export interface Orderable extends Priced {
  quantity: number;
  minimumOrder: number;
  orderStep: number;
}

/**
 * All reasons, the specification's first in its order (§5); empty when orderable.
 * @param typed pieces, or a field's text
 */
export function quantityRefusals(typed: number | string, product: Orderable): QuantityRefusal[] {
  const quantity = typeof typed === 'string' ? readPieces(typed) : typed;
  if (!Number.isInteger(quantity)) {
    const other = Number.isNaN(quantity) ? messages.quantityRequired : messages.quantityNotWhole;
    return [{ code: 'invalid', message: explainUnread(typed, readPieces, explainPieces) ?? other }];
  }
  const refusals: QuantityRefusal[] = [];
  if (quantity < product.minimumOrder) {
    refusals.push({ code: 'below-minimum', message: belowMinimum(product.minimumOrder) });
  }
  if (quantity > product.quantity) {
    refusals.push({ code: 'above-stock', message: aboveStock(product.quantity) });
  }
  if (quantity % product.orderStep !== 0) {
    refusals.push({ code: 'wrong-step', message: outOfStep(product.orderStep) });
  }
  if (lineCents(quantity, product) > MAX_TOTAL_CENTS) {
    refusals.push({ code: 'amount-too-large', message: messages.amountTooLarge });
  }
  return refusals;
}

/** The form shows it and disables Purchase; null when orderable. */
export const refuseQuantity = (typed: number | string, product: Orderable): QuantityRefusal | null =>
  quantityRefusals(typed, product)[0] ?? null;

type Stepped = Pick<Orderable, 'quantity' | 'minimumOrder' | 'orderStep'>;

/** The stock, rounded down to the step. */
export const maxOrder = ({ quantity, orderStep }: Pick<Orderable, 'quantity' | 'orderStep'>): number =>
  quantity - (quantity % orderStep);

/** Orderable multiples of the step on both sides, ascending. */
export function nearestSteps(quantity: number, product: Stepped): number[] {
  const below = Math.floor(quantity / product.orderStep) * product.orderStep;
  return [below, below + product.orderStep].filter(
    (multiple) => multiple >= product.minimumOrder && multiple <= product.quantity,
  );
}

/** Orderable pieces for the wanted ones: more where minimum and step need it, fewer where the stock ends, or 0. */
export function fitQuantity(wanted: number, product: Orderable): number {
  const { minimumOrder, orderStep } = product;
  const stepped = Math.ceil(Math.max(wanted, minimumOrder) / orderStep) * orderStep;
  const pieces = Math.min(stepped, maxOrder(product));
  return refuseQuantity(pieces, product) ? 0 : pieces;
}

/** @param by 1: the next multiple above; -1: below, at least 0 */
export function stepQuantity(quantity: number, by: 1 | -1, orderStep: number): number {
  const steps = by === 1 ? Math.floor(quantity / orderStep) : Math.ceil(quantity / orderStep);
  return Math.max(0, (steps + by) * orderStep);
}

/** Suggested from this share of its quantity on, or when its total is not higher. */
const NEAR_BREAK = 0.9;

/**
 * The next orderable break, if near or not more expensive in total; else null.
 * @param quantity must be orderable
 */
export function suggestBreak(quantity: number, product: Orderable) {
  const next = product.priceBreaks.find((priceBreak) => priceBreak.quantity > quantity);
  if (!next || refuseQuantity(next.quantity, product)) return null;
  const priceCents = unitPriceFor(next.quantity, product);
  // An agreed price may be as low already.
  if (priceCents === unitPriceFor(quantity, product)) return null;
  const total = lineCents(next.quantity, product);
  const differenceCents = total - lineCents(quantity, product);
  if (differenceCents > 0 && quantity < next.quantity * NEAR_BREAK) return null;
  /** `differenceCents` is negative when it is cheaper than the requested quantity. */
  return { quantity: next.quantity, priceCents, totalCents: total, differenceCents };
}
