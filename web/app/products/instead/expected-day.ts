import type { Product } from '@parts-forge/contract/products/products';
import { readDay } from '@parts-forge/contract/text/days';

/** `12 December`, with the year if it is not this one. Null for none, and for a day that has passed in the shop. */
export function describeExpected(
  { expectedAt }: Pick<Product, 'expectedAt'>,
  timeZone: string,
  now = new Date(),
): string | null {
  const today = readDay(now, timeZone);
  if (expectedAt === null || expectedAt < today) return null;
  const year = expectedAt.slice(0, 4) === today.slice(0, 4) ? undefined : ('numeric' as const);
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' });
  return format.format(new Date(expectedAt));
}
