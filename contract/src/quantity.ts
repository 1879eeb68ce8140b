/**
 * How many pieces of a part can be ordered, for page and server. They stand apart from the schemas in `orders.ts`, so
 * that the public page of a part does not load the library that checks forms.
 */
import { MAX_TOTAL_CENTS } from './bounds.ts';
import { aboveStock, belowMinimum, messages, outOfStep } from './messages.ts';
import { type Priced, totalCents, unitPriceFor } from './pricing.ts';
import type { ProblemCode } from './problems.ts';

/** Why a quantity cannot be ordered: the refusal, and the customer's words for it. */
export interface QuantityRefusal {
  code: Extract<ProblemCode, 'invalid' | 'below-minimum' | 'above-stock' | 'wrong-step' | 'amount-too-large'>;
  message: string;
}

/** What decides which quantities of a part can be ordered; `quantity` is the stock, all three are pieces. */
export interface Orderable extends Priced {
  quantity: number;
  minimumOrder: number;
  orderStep: number;
}

/**
 * Everything that keeps a quantity of a product from being ordered: the specification's own messages first, in its
 * order (§5); nothing when it can be ordered.
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

/** The first of these, which the form shows and disables Purchase with; null when the quantity can be ordered. */
export const refuseQuantity = (quantity: number | null, product: Orderable): QuantityRefusal | null =>
  quantityRefusals(quantity, product)[0] ?? null;

/**
 * The number in the text of a number field; NaN for none. A fraction of three digits or more stays one although its zeros
 * say nothing: `50.000` may mean fifty thousand, and `1.750` is no price.
 */
export function readNumberText(text: string | number): number {
  // A form gives what it set itself as the number that it set.
  if (typeof text === 'number') return text;
  if (text.trim() === '') return Number.NaN;
  return Number(/^\d{3,}$/.test(text.split('.')[1] ?? '') ? `${text}1` : text);
}

type Stepped = Pick<Orderable, 'quantity' | 'minimumOrder' | 'orderStep'>;

/** The most pieces that can be ordered: the stock, rounded down to the order step. */
export const maxOrder = ({ quantity, orderStep }: Pick<Orderable, 'quantity' | 'orderStep'>): number =>
  quantity - (quantity % orderStep);

/** The multiples of the order step beside a quantity that is none, as far as they can be ordered; at most two, rising. */
export function nearestSteps(quantity: number, product: Stepped): number[] {
  const below = Math.floor(quantity / product.orderStep) * product.orderStep;
  return [below, below + product.orderStep].filter(
    (multiple) => multiple >= product.minimumOrder && multiple <= product.quantity,
  );
}

/** The next multiple of the order step above a quantity (`by` 1) or below it (-1), never below 0. */
export function stepQuantity(quantity: number, by: 1 | -1, orderStep: number): number {
  const steps = by === 1 ? Math.floor(quantity / orderStep) : Math.ceil(quantity / orderStep);
  return Math.max(0, (steps + by) * orderStep);
}

/** A larger quantity with a lower price that is worth a look. */
export interface BreakSuggestion {
  quantity: number;
  /** of one piece */
  priceCents: number;
  totalCents: number;
  /** how much more than the quantity that was asked about; less when negative */
  differenceCents: number;
}

/** A break is worth a look from this share of its quantity on, or when its total is not higher. */
const NEAR_BREAK = 0.9;

/**
 * The next price break above a quantity when it is near or its total is not higher, and it can be ordered; else null.
 * @param quantity pieces, which can be ordered themselves
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
