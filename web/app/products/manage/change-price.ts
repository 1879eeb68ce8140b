import { toAmount, toCents } from '@parts-forge/contract/money/money';

export interface PriceChange {
  kind: 'percent' | 'dollars';
  by: number;
}

/** `5%`, `-2.5 %`, `−0.40`, `+$1`; null for anything else and for no change. */
export function readPriceChange(text: string): PriceChange | null {
  const match = /^([+\-−]?)\$?(\d{1,6}(?:\.\d{1,2})?)(%?)$/.exec(text.replaceAll(' ', ''));
  const by = Number(match?.[2]) * (match?.[1] === '-' || match?.[1] === '−' ? -1 : 1);
  if (!match || by === 0) return null;
  return { kind: match[3] === '%' ? 'percent' : 'dollars', by };
}

/** To the nearest cent. */
export const changePrice = (price: number, { kind, by }: PriceChange): number =>
  kind === 'dollars'
    ? toAmount(toCents(price) + toCents(by))
    : toAmount(Math.round((toCents(price) * (10_000 + Math.round(by * 100))) / 10_000));
