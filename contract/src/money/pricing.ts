import { toAmount, toCents } from './money.ts';

/** For page, server and all figures. Cents far below 2^53, so every step is exact. */

export interface Priced {
  price: number;
  /** Quantities rise, prices fall. */
  priceBreaks: readonly { quantity: number; price: number }[];
  /** The contained tax that a customer does not pay, in hundredths of a percent; absent: 0. */
  untaxedRate?: number;
  /** Agreed with the customer, in any order. */
  ownPrices?: readonly { fromQuantity: number; price: number }[] | undefined;
}

/**
 * In cents, for the whole order: the lowest of the list's price (the highest reached break, else the part's
 * price) and the own prices that the quantity reaches. With a fraction for a customer without tax.
 */
export function unitPriceFor(
  quantity: number,
  { price, priceBreaks, untaxedRate, ownPrices = [] }: Priced,
): number {
  const listed = priceBreaks.findLast((priceBreak) => priceBreak.quantity <= quantity)?.price ?? price;
  const own = ownPrices.filter(({ fromQuantity }) => fromQuantity <= quantity).map((each) => each.price);
  return netPiece(toCents(Math.min(listed, ...own)), untaxedRate);
}

/** Rounds half a part up, without a sum beyond 2^53. */
export function share(cents: number, part: number, whole: number): number {
  const [c, p, w] = [BigInt(cents), BigInt(part), BigInt(whole)];
  return Number((2n * c * p + w) / (2n * w));
}

/** In cents, of a price that contains it: 12000 at 20 % (2000) gives 2000. */
export const countTax = (cents: number, rate: number): number => share(cents, rate, 10_000 + rate);

/**
 * Cents to each of the parts by their size, together exactly `cents`: each has its share rounded down, and the
 * largest remainders one cent more.
 */
export function shareOut(cents: number, parts: readonly number[]): number[] {
  const whole = BigInt(parts.reduce((sum, part) => sum + part, 0));
  const exact = parts.map((part) => BigInt(cents) * BigInt(part));
  const shares = exact.map((value) => Number(value / whole));
  const left = cents - shares.reduce((sum, value) => sum + value, 0);
  const byRemainder = exact.map((value, index) => ({ index, rest: value % whole }));
  byRemainder.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest < b.rest ? 1 : -1));
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}

/** Cents of one piece without the tax of `rate`, with a fraction: only a line's total is rounded. */
export const netPiece = (priceCents: number, rate = 0): number => (priceCents * 10_000) / (10_000 + rate);

/** The other way round, in whole cents. */
export const grossPiece = (netCents: number, rate = 0): number =>
  Math.round((netCents * (10_000 + rate)) / 10_000);

/** Cents of a line (specification §9); without tax it is the net of a taxed customer's invoice. */
export function totalCents(quantity: number, priceCents: number, untaxedRate = 0): number {
  const listed = quantity * priceCents;
  // A field may have any number of digits.
  return untaxedRate === 0 || !Number.isFinite(listed) ? listed : listed - countTax(listed, untaxedRate);
}

/** As `totalCents`, at the price of the quantity. */
export const lineCents = (quantity: number, { untaxedRate, ...listed }: Priced): number =>
  totalCents(quantity, unitPriceFor(quantity, listed), untaxedRate);

/** Cents of pieces after others of a line: all together are its total. */
export const piecesCents = (total: number, quantity: number, before: number, pieces: number): number =>
  Math.max(1, share(total, before + pieces, quantity) - share(total, before, quantity));

/** An agreed price above the list's for its quantity, or below half of it, which is rarely meant; else null. */
export function noteAgreedPrice(price: number, fromQuantity: number, { priceBreaks, price: base }: Priced) {
  const listed = toAmount(unitPriceFor(fromQuantity, { price: base, priceBreaks }));
  if (price > listed) return 'above';
  return price < listed * 0.5 ? 'half' : null;
}

/**
 * Prices that rise above 1.5 times or fall below half, each to that of its quantity before. That is rarely
 * meant: a lost decimal comma makes a hundred times.
 */
export const findPriceMoves = (before: Priced, after: Priced) =>
  [{ quantity: 0, price: after.price }, ...after.priceBreaks].flatMap(({ quantity, price }) => {
    const was = toAmount(unitPriceFor(quantity, before));
    return price > was * 1.5 || price < was * 0.5 ? [{ quantity, was, price }] : [];
  });

/** In percent. A price that moves by more is marked. */
export const PRICE_JUMP = 15;

/**
 * @param was amounts as cells of a file; empty for none
 * @returns by how much a price moves, in percent with one decimal; null up to `PRICE_JUMP`, and from none or 0
 */
export function findPriceJump(was: string, will: string): number | null {
  const before = toCents(Number(was));
  const moved = toCents(Number(will)) - before;
  const isJump = before > 0 && Math.abs(moved) * 100 > before * PRICE_JUMP;
  return isJump ? Math.round((moved * 1000) / before) / 10 : null;
}
