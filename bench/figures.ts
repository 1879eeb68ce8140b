/** Median and range of several runs. */
export interface Figure {
  median: number;
  lowest: number;
  highest: number;
  runs: number;
}

/**
 * @param runs at least one
 * @param read the figure of a run
 */
export function summarize<Run>(runs: readonly Run[], read: (run: Run) => number, decimals: number): Figure {
  if (runs.length === 0) throw new Error('A figure needs at least one run.');
  const sorted = runs.map(read).sort((a, b) => a - b);
  const at = (position: number) => sorted[position] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  const rounded = (value: number) => Number(value.toFixed(decimals));
  return {
    median: rounded(median),
    lowest: rounded(at(0)),
    highest: rounded(at(sorted.length - 1)),
    runs: sorted.length,
  };
}

/** `0.52 (0.49 to 0.55)`. */
export function inWords(figure: Figure, write = (value: number) => value.toLocaleString('en-US')): string {
  return `${write(figure.median)} (${write(figure.lowest)} to ${write(figure.highest)})`;
}

/** Kilobytes of 1000 bytes. */
export const kilobytes = (bytes: number) => Number((bytes / 1000).toFixed(1));
