export const describeLines = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`);
