import { MAX_PRICE, MIN_PRICE } from '@parts-forge/contract/bounds';
import { formatCents, formatPieces, hasWholeCents, toAmount, toCents } from '@parts-forge/contract/money';
import type { BulkChange, BulkState } from '@parts-forge/contract/stock';
import { Problem } from '#src/platform/core/problem.ts';
import { addToStock } from './change-stock.ts';
import type { BulkPart } from './store.ts';

/**
 * An unchanged price keeps the version.
 * @throws Problem with the reason for skipping the line: `invalid`, `version-changed`, `above-stock`,
 *   `stock-limit`
 */
export function judgeBulkChange({ add = 0, price, version }: BulkChange, part: BulkPart): BulkState {
  if (version !== undefined && version !== part.version) {
    throw new Problem('version-changed', { detail: 'The part was edited meanwhile.' });
  }
  if (add === 0 && price === undefined) refuse('It changes neither stock nor price.');
  if (!Number.isInteger(add)) refuse(`“${add}” is not a whole number.`);
  const quantity = addToStock(part.quantity, add);
  const priceCents = price === undefined ? part.priceCents : checkPrice(price, part);
  const isEdit = priceCents !== part.priceCents;
  return { quantity, price: toAmount(priceCents), version: part.version + (isEdit ? 1 : 0) };
}

/** @returns the price in cents */
function checkPrice(price: number, { priceBreaks }: BulkPart): number {
  if (price < MIN_PRICE) refuse(`The price is below ${MIN_PRICE}.`);
  if (price > MAX_PRICE) refuse(`The price is above ${formatPieces(MAX_PRICE)}.`);
  if (!hasWholeCents(price)) refuse('The price has more than two decimals.');
  const priceCents = toCents(price);
  const [first] = priceBreaks;
  if (first && priceCents <= first.priceCents) {
    refuse(
      `The price is not above that of its price break, ${formatCents(first.priceCents)} from ${formatPieces(first.quantity)}.`,
    );
  }
  return priceCents;
}

function refuse(detail: string): never {
  throw new Problem('invalid', { detail });
}
