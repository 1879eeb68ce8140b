import { shopCurrency } from '@parts-forge/contract/money/currency';
import { hasWholeCents, toAmount, toCents } from '@parts-forge/contract/money/money';

export interface PriceChange {
  kind: 'percent' | 'amount';
  by: number;
}

/** `5%`, `-2.5 %`, `−0.40`, `+$1`; null for anything else and for no change. */
export function readPriceChange(text: string): PriceChange | null {
  const plain = text.replaceAll(' ', '').replace(shopCurrency().symbol, '');
  const match = /^([+\-−]?)(\d{1,6}(?:\.\d{1,2})?)(%?)$/.exec(plain);
  const by = Number(match?.[2]) * (match?.[1] === '-' || match?.[1] === '−' ? -1 : 1);
  if (!match || by === 0) return null;
  if (match[3] === '%') return { kind: 'percent', by };
  return hasWholeCents(by) ? { kind: 'amount', by } : null;
}

/** To the nearest cent. */
export const changePrice = (price: number, { kind, by }: PriceChange): number =>
  kind === 'amount'
    ? toAmount(toCents(price) + toCents(by))
    : toAmount(Math.round((toCents(price) * (10_000 + Math.round(by * 100))) / 10_000));
