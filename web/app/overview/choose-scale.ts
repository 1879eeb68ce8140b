/** The vertical scale of a chart in dollars. */
export interface Scale {
  unit: 'million $' | 'thousand $' | '$';
  /** Dollars at the top line. */
  top: number;
  /** From 0 to `top`, in dollars. */
  ticks: readonly number[];
  /** Formats dollars in the scale's unit. */
  format: (amount: number, decimals?: number) => string;
}

const LINES = 5;
const dollars = { 'million $': 1_000_000, 'thousand $': 1000, $: 1 };

/** Begins at 0, reaches `highest` dollars and has at most five round lines above zero. */
export function chooseScale(highest: number): Scale {
  const least = Math.max(highest, LINES) / LINES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
  const count = Math.max(1, Math.ceil(Math.max(highest, 0) / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, line) => line * step);
  const unit = step >= 1_000_000 ? 'million $' : step >= 1000 ? 'thousand $' : '$';
  const format = (amount: number, decimals = 0) =>
    new Intl.NumberFormat('en-US', { maximumFractionDigits: decimals }).format(amount / dollars[unit]);
  return { unit, top: count * step, ticks, format };
}
