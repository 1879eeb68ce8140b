import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import type { EventType } from '@parts-forge/contract/events/event-types';
import type { ShopEvent } from '@parts-forge/contract/events/events';
import { toAmount } from '@parts-forge/contract/money/money';
import { and, asc, eq, gt, inArray, max, min } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Facts, trail } from '#src/trail/schema.ts';
import { toWireFacts } from '#src/trail/store.ts';
import { events } from './schema.ts';

/**
 * @returns `last`: the place of a reader who has seen `data`
 * @throws Problem `events-gone`
 */
export async function readEvents(
  db: Executor,
  after: number,
  limit = PAGE_LIMIT,
  types?: readonly EventType[],
): Promise<{ data: ShopEvent[]; last: number }> {
  // First: a later event is in `data`, or has a number above `last`.
  const last = await findLastNumber(db);
  // Then: what is forgotten between this read and the next is missed by neither.
  const data = await findEvents(db, after, limit, types);
  const [kept] = await db.select({ first: min(events.number) }).from(events);
  // Beyond the last: a place of another shop, or of this one before a restore.
  if (after > 0 && (after < (kept?.first ?? 0) || after > last)) {
    throw new Problem('events-gone', {
      detail: 'Read orders and parts, then go on with the events after 0, which are those that are kept.',
    });
  }
  const read = data.at(-1)?.number ?? after;
  return { data, last: data.length < limit ? Math.max(read, last) : read };
}

/** 0 in a new shop. */
export async function findLastNumber(db: Executor): Promise<number> {
  const [row] = await db.select({ last: max(events.number) }).from(events);
  return row?.last ?? 0;
}

export async function findEvents(
  db: Executor,
  after: number,
  limit: number,
  types?: readonly EventType[],
): Promise<ShopEvent[]> {
  const { quantity, totalCents } = orders;
  const rows = await db
    .select({ event: events, entry: trail, placed: { quantity, totalCents } })
    .from(events)
    .leftJoin(trail, eq(trail.id, events.id))
    .leftJoin(orders, and(eq(events.type, 'order.placed'), eq(orders.id, events.id)))
    .where(and(gt(events.number, after), types && inArray(events.type, types)))
    .orderBy(asc(events.number))
    .limit(limit);
  return rows.map(({ event: { id, number, type, at, orderId, productId }, entry, placed }) => {
    const change = placed ? -placed.quantity : entry?.stockChange;
    const before = pickFigures(entry?.before);
    const after = placed ? { total: toAmount(placed.totalCents) } : pickFigures(entry?.after);
    return {
      id,
      number,
      type,
      at: at.toISOString(),
      ...(orderId !== null && { order: orderId }),
      ...(productId !== null && { part: productId }),
      ...(typeof change === 'number' && { change }),
      ...(before && { before }),
      ...(after && { after }),
    };
  });
}

/** Texts stay here: a receiver that needs them reads the order or the part. */
function pickFigures(facts: Facts | null | undefined): Record<string, number> | undefined {
  const figures = Object.entries(toWireFacts(facts ?? {})).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  return figures.length > 0 ? Object.fromEntries(figures) : undefined;
}
