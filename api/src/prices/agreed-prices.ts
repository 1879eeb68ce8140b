import { toCents } from '@parts-forge/contract/money/money';
import type { newAgreedPriceSchema } from '@parts-forge/contract/prices/agreed-prices';
import { addDays } from '@parts-forge/contract/text/days';
import { and, inArray, isNull, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import { actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { type NewEntry, writeEntries } from '#src/trail/write-entry.ts';
import { findCustomersByEmail } from '#src/users/store.ts';
import { type AgreedPriceRow, readToday } from './own-prices.ts';
import { agreedPrices } from './schema.ts';

/** Customers get a mail so many days before an end. */
export const NOTICE_DAYS = 3;

type Services = Pick<Platform, 'changes' | 'clock' | 'config' | 'ids'>;
type Price = Pick<AgreedPriceRow, 'priceCents' | 'until'>;
export type PriceKey = Pick<AgreedPriceRow, 'userId' | 'productId' | 'fromQuantity'>;
export type NewPrice = PriceKey & Price;

/**
 * Sets one price, or replaces it.
 * @returns its id
 * @throws Problem `invalid` for an unknown customer or part, or an end in the past
 */
export function setAgreedPrice(
  services: Services,
  administrator: Administrator,
  { customer, price, until, ...key }: z.output<typeof newAgreedPriceSchema>,
): Promise<string> {
  if (until !== undefined) requireEndAhead(services, until);
  return actAs(services.changes, administrator, async (tx) => {
    const [userId] = (await findCustomersByEmail(tx, [customer], { lock: true })).values();
    if (userId === undefined) throw invalidField('customer', 'No customer has this email');
    if (!(await findProduct(tx, key.productId))) throw invalidField('productId', NO_PART);
    const set = { ...key, userId, priceCents: toCents(price), until: until ?? null };
    const [id = ''] = await setAgreedPrices(tx, services, [set]);
    return id;
  });
}

export const NO_PART = 'No part on sale has this id';

/** @throws Problem `invalid` */
export function requireEndAhead(services: Pick<Services, 'clock' | 'config'>, until: string): void {
  if (until < readToday(services)) throw invalidField('until', 'Must be today or later');
}

/**
 * Sets prices outside quotes, or replaces them: at most a thousand, each key once. The caller has checked parts
 * and ends, and locked the customers.
 * @returns their ids
 */
export async function setAgreedPrices(
  tx: Executor,
  { clock, config, ids }: Pick<Services, 'clock' | 'config' | 'ids'>,
  prices: readonly NewPrice[],
): Promise<string[]> {
  if (prices.length === 0) return [];
  const now = clock.now();
  const near = addDays(readToday({ clock, config }), NOTICE_DAYS);
  const was = await findSetPrices(tx, prices, { lock: true });
  const rows = await tx
    .insert(agreedPrices)
    .values(
      prices.map((price) => ({
        ...price,
        id: ids.next(),
        endKnown: price.until !== null && price.until <= near,
        createdAt: now,
      })),
    )
    .onConflictDoUpdate({
      target: [agreedPrices.userId, agreedPrices.productId, agreedPrices.fromQuantity, agreedPrices.quoteId],
      set: {
        priceCents: sql`excluded.price_cents`,
        until: sql`excluded.until`,
        endKnown: sql`excluded.end_known`,
        createdAt: sql`excluded.created_at`,
      },
    })
    .returning();
  await writeEntries(
    tx,
    rows.map((row) => toEntry('price-agreed', ids.next(), now, was.get(writeKey(row)) ?? null, row, row)),
  );
  return rows.map(({ id }) => id);
}

/** Also those of quotes. @returns how many there were */
export async function removeAgreedPrices(
  tx: Executor,
  { clock, ids }: Pick<Services, 'clock' | 'ids'>,
  priceIds: readonly string[],
): Promise<number> {
  const now = clock.now();
  const isMeant = inArray(agreedPrices.id, [...priceIds]);
  const removed = await tx.delete(agreedPrices).where(isMeant).returning();
  await writeEntries(
    tx,
    removed.map((row) => toEntry('price-removed', ids.next(), now, row, null, row)),
  );
  return removed.length;
}

/** Names a price outside quotes. */
export const writeKey = ({ userId, productId, fromQuantity }: PriceKey) =>
  `${userId} ${productId} ${fromQuantity}`;

/** In the order of their keys, which prevents deadlocks. */
export async function findSetPrices(
  db: Executor,
  keys: readonly PriceKey[],
  { lock = false } = {},
): Promise<Map<string, AgreedPriceRow>> {
  const wanted = sql`(${agreedPrices.userId}, ${agreedPrices.productId}, ${agreedPrices.fromQuantity}) in (
    select * from unnest(${sql.param(keys.map(({ userId }) => userId))}::uuid[],
      ${sql.param(keys.map(({ productId }) => productId))}::uuid[],
      ${sql.param(keys.map(({ fromQuantity }) => fromQuantity))}::int[]))`;
  const query = db
    .select()
    .from(agreedPrices)
    .where(and(wanted, isNull(agreedPrices.quoteId)))
    .orderBy(agreedPrices.userId, agreedPrices.productId, agreedPrices.fromQuantity);
  const rows = await (lock ? query.for('update') : query);
  return new Map(rows.map((row) => [writeKey(row), row]));
}

function toEntry(
  event: 'price-agreed' | 'price-removed',
  id: string,
  now: Date,
  was: Price | null,
  will: Price | null,
  { userId, productId, fromQuantity }: PriceKey,
): NewEntry {
  const [before, after] = [was, will].map(
    (price) =>
      price && { fromQuantity, priceCents: price.priceCents, ...(price.until && { until: price.until }) },
  );
  return {
    id,
    now,
    event,
    userId,
    productId,
    ...(before && { before }),
    ...(after && { after }),
  };
}
