/**
 * Orderable quantities, for page and server; apart from the schemas in `orders.ts`, so that a part's public
 * page loads no validation library.
 */
import { MAX_TOTAL_CENTS } from './bounds.ts';
import { aboveStock, belowMinimum, messages, outOfStep } from './messages.ts';
import { type Priced, totalCents, unitPriceFor } from './pricing.ts';
import type { ProblemCode } from './problems.ts';

/** A refusal of a quantity, with the message for the customer. */
export interface QuantityRefusal {
  code: Extract<ProblemCode, 'invalid' | 'below-minimum' | 'above-stock' | 'wrong-step' | 'amount-too-large'>;
  message: string;
}

/** Fields of a part that decide its orderable quantities, in pieces; `quantity` is the stock. */
export interface Orderable extends Priced {
  quantity: number;
  minimumOrder: number;
  orderStep: number;
}

/**
 * Lists every reason to refuse a quantity, the specification's messages first in its order (§5); empty when
 * it can be ordered.
 * @param quantity pieces; null for an empty field
 */
export function quantityRefusals(quantity: number | null, product: Orderable): QuantityRefusal[] {
  if (quantity === null || Number.isNaN(quantity)) {
    return [{ code: 'invalid', message: messages.quantityRequired }];
  }
  if (!Number.isInteger(quantity)) return [{ code: 'invalid', message: messages.quantityNotWhole }];
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
  if (totalCents(quantity, unitPriceFor(quantity, product)) > MAX_TOTAL_CENTS) {
    refusals.push({ code: 'amount-too-large', message: messages.amountTooLarge });
  }
  return refusals;
}

/** First refusal, which the form shows while Purchase is disabled; null when the quantity can be ordered. */
export const refuseQuantity = (quantity: number | null, product: Orderable): QuantityRefusal | null =>
  quantityRefusals(quantity, product)[0] ?? null;

/**
 * Number in a number field; NaN for none. Three or more decimals always count as a fraction, even zeros:
 * `50.000` may mean fifty thousand, and `1.750` is no price.
 */
export function readNumberText(text: string | number): number {
  // Forms return values that they set themselves as numbers.
  if (typeof text === 'number') return text;
  if (text.trim() === '') return Number.NaN;
  return Number(/^\d{3,}$/.test(text.split('.')[1] ?? '') ? `${text}1` : text);
}

type Stepped = Pick<Orderable, 'quantity' | 'minimumOrder' | 'orderStep'>;

/** Stock rounded down to the order step. */
export const maxOrder = ({ quantity, orderStep }: Pick<Orderable, 'quantity' | 'orderStep'>): number =>
  quantity - (quantity % orderStep);

/** The orderable multiples of the order step around a quantity, ascending; at most two. */
export function nearestSteps(quantity: number, product: Stepped): number[] {
  const below = Math.floor(quantity / product.orderStep) * product.orderStep;
  return [below, below + product.orderStep].filter(
    (multiple) => multiple >= product.minimumOrder && multiple <= product.quantity,
  );
}

/** Next multiple of the order step above (`by` 1) or below (-1) a quantity, at least 0. */
export function stepQuantity(quantity: number, by: 1 | -1, orderStep: number): number {
  const steps = by === 1 ? Math.floor(quantity / orderStep) : Math.ceil(quantity / orderStep);
  return Math.max(0, (steps + by) * orderStep);
}

/** A larger, cheaper quantity to suggest. */
export interface BreakSuggestion {
  quantity: number;
  priceCents: number;
  totalCents: number;
  /** difference to the total of the requested quantity; negative when cheaper */
  differenceCents: number;
}

/** A break is suggested from this share of its quantity on, or when its total is not higher. */
const NEAR_BREAK = 0.9;

/**
 * The next orderable price break, if it is near or its total is not higher; else null.
 * @param quantity an orderable number of pieces
 */
export function suggestBreak(quantity: number, product: Orderable): BreakSuggestion | null {
  const next = product.priceBreaks.find((priceBreak) => priceBreak.quantity > quantity);
  if (!next || refuseQuantity(next.quantity, product)) return null;
  const priceCents = unitPriceFor(next.quantity, product);
  const total = totalCents(next.quantity, priceCents);
  const differenceCents = total - totalCents(quantity, unitPriceFor(quantity, product));
  if (differenceCents > 0 && quantity < next.quantity * NEAR_BREAK) return null;
  return { quantity: next.quantity, priceCents, totalCents: total, differenceCents };
}
