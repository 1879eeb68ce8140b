export const describeLines = (lines: number): string => (lines === 1 ? '1 line' : `${lines} lines`);

export const describeOrders = (count: number): string => (count === 1 ? '1 order' : `${count} orders`);
