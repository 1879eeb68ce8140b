import type { Product } from '@parts-forge/contract/products/products';

/** `12 December`, with the year if it is not this one. Null for none, and for a day of the past. */
export function describeExpected(
  { expectedAt }: Pick<Product, 'expectedAt'>,
  now = new Date(),
): string | null {
  const today = now.toISOString().slice(0, 10);
  if (expectedAt === null || expectedAt < today) return null;
  const year = expectedAt.slice(0, 4) === today.slice(0, 4) ? undefined : ('numeric' as const);
  const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year, timeZone: 'UTC' });
  return format.format(new Date(expectedAt));
}
