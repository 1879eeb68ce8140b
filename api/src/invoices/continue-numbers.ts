import { formatNumber, type Series } from '@parts-forge/contract/money/papers';
import { and, desc, eq, gt } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { invoiceNumbers } from './schema.ts';
import { findSeries, raiseNumbers } from './store.ts';

export interface IssuedNumber {
  series: Series;
  year: number;
  sequence: number;
}

/** Of a paper; null for anything else. */
export function readNumber(text: string): IssuedNumber | null {
  const [, prefix, year, sequence] = /^(?:(CN|DN)-)?(20\d\d)-(\d{5,9})$/.exec(text) ?? [];
  const read: IssuedNumber = {
    series: findSeries(prefix),
    year: Number(year),
    sequence: Number(sequence),
  };
  return formatNumber(read) === text && read.sequence > 0 ? read : null;
}

/** Null before the first. */
export async function findLastNumber(db: Executor, series: Series): Promise<IssuedNumber | null> {
  const [row] = await db
    .select()
    .from(invoiceNumbers)
    .where(and(eq(invoiceNumbers.series, series), gt(invoiceNumbers.last, 0)))
    .orderBy(desc(invoiceNumbers.year))
    .limit(1);
  return row ? { series, year: row.year, sequence: row.last } : null;
}

/** Continues after the original shop's number. Repeatable; numbers never fall. */
export const continueNumbers = (tx: Executor, number: IssuedNumber, now: Date): Promise<void> =>
  raiseNumbers(tx, number, new Date(Math.min(now.getTime(), Date.UTC(number.year + 1) - 1)));
