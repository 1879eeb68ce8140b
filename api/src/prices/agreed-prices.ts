import { toCents } from '@parts-forge/contract/money/money';
import type { newAgreedPriceSchema } from '@parts-forge/contract/prices/agreed-prices';
import { addDays } from '@parts-forge/contract/text/days';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import { actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { type NewEntry, writeEntries } from '#src/trail/write-entry.ts';
import { findUserByEmail, lockCustomers } from '#src/users/store.ts';
import { type AgreedPriceRow, readToday } from './own-prices.ts';
import { agreedPrices } from './schema.ts';

/** Customers get a mail so many days before an end. */
export const NOTICE_DAYS = 3;

type Services = Pick<Platform, 'clock' | 'config' | 'database' | 'ids'>;
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
  return actAs(services.database.db, administrator, async (tx) => {
    const user = await findUserByEmail(tx, customer);
    if (user?.role !== 'user') throw invalidField('customer', 'No customer has this email');
    if (!(await findProduct(tx, key.productId))) throw invalidField('productId', NO_PART);
    const set = { ...key, userId: user.id, priceCents: toCents(price), until: until ?? null };
    const [done] = await setAgreedPrices(tx, services, [set]);
    if (!done) throw invalidField('customer', 'No customer has this email');
    return done.id;
  });
}

export const NO_PART = 'No part on sale has this id';

/** @throws Problem `invalid` */
export function requireEndAhead(services: Pick<Services, 'clock' | 'config'>, until: string): void {
  if (until < readToday(services)) throw invalidField('until', 'Must be today or later');
}

/**
 * Sets prices outside quotes, or replaces them. Leaves out customers who were removed. At most a thousand, each
 * key once. The caller has checked parts and ends.
 * @returns each with its price before; null for a new one
 */
export async function setAgreedPrices(
  tx: Executor,
  { clock, config, ids }: Pick<Services, 'clock' | 'config' | 'ids'>,
  prices: readonly NewPrice[],
): Promise<(NewPrice & { id: string; was: Price | null })[]> {
  const now = clock.now();
  const near = addDays(readToday({ clock, config }), NOTICE_DAYS);
  const present = await lockCustomers(
    tx,
    prices.map(({ userId }) => userId),
  );
  const set = prices.filter(({ userId }) => present.has(userId));
  if (set.length === 0) return [];
  const was = await findSetPrices(tx, set, { lock: true });
  const rows = await tx
    .insert(agreedPrices)
    .values(
      set.map((price) => ({
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
  const done = rows.map((row) => ({ ...row, was: was.get(writeKey(row)) ?? null }));
  await writeEntries(
    tx,
    done.map((price) => toEntry('price-agreed', ids.next(), now, price.was, price, price)),
  );
  return done;
}

/** Ends prices outside quotes. @returns those that there were */
export async function removeAgreedPrices(
  tx: Executor,
  services: Pick<Services, 'clock' | 'ids'>,
  keys: readonly PriceKey[],
): Promise<NewPrice[]> {
  return removeRows(tx, services, [...(await findSetPrices(tx, keys, { lock: true })).values()]);
}

/** Ends a price, of a quote or not. @returns 1 or 0 */
export function removeAgreedPrice(
  services: Services,
  administrator: Administrator,
  id: string,
): Promise<number> {
  return actAs(services.database.db, administrator, async (tx) => {
    const rows = await tx.select().from(agreedPrices).where(eq(agreedPrices.id, id)).for('update');
    return (await removeRows(tx, services, rows)).length;
  });
}

async function removeRows(
  tx: Executor,
  { clock, ids }: Pick<Services, 'clock' | 'ids'>,
  rows: readonly AgreedPriceRow[],
): Promise<AgreedPriceRow[]> {
  const now = clock.now();
  const removed = await tx
    .delete(agreedPrices)
    .where(
      inArray(
        agreedPrices.id,
        rows.map(({ id }) => id),
      ),
    )
    .returning();
  await writeEntries(
    tx,
    removed.map((row) => toEntry('price-removed', ids.next(), now, row, null, row)),
  );
  return removed;
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

/** For a removed customer. */
export async function deleteAgreedPrices(tx: Executor, userId: string): Promise<void> {
  await tx.delete(agreedPrices).where(eq(agreedPrices.userId, userId));
}
