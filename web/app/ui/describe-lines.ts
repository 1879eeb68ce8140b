/** How many lines a batch or a file has: `1 line`, `6 lines`. */
export const describeLines = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`);
