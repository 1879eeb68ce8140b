import { shopCurrency } from '@parts-forge/contract/money/currency';

/** The vertical scale of a chart of amounts. */
export interface Scale {
  /** `million $`, `thousand $` or `$`. */
  unit: string;
  /** At the top line. */
  top: number;
  /** From 0 to `top`. */
  ticks: readonly number[];
  /** Formats an amount in the scale's unit. */
  format: (amount: number, decimals?: number) => string;
}

const LINES = 5;
const sizes = [
  { word: 'million ', size: 1_000_000 },
  { word: 'thousand ', size: 1000 },
] as const;

/** Begins at 0, reaches `highest` and has at most five round lines above zero. */
export function chooseScale(highest: number): Scale {
  const least = Math.max(highest, LINES) / LINES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
  const count = Math.max(1, Math.ceil(Math.max(highest, 0) / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, line) => line * step);
  const { word, size } = sizes.find((each) => step >= each.size) ?? { word: '', size: 1 };
  const unit = word + shopCurrency().symbol;
  const format = (amount: number, decimals = 0) =>
    new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals }).format(amount / size);
  return { unit, top: count * step, ticks, format };
}
