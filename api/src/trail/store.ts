import { type TrailEvent, type TrailTopic, trailEvents } from '@parts-forge/contract/events/trail-events';
import { toAmount } from '@parts-forge/contract/money/money';
import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import { type Facts, trail } from './schema.ts';

export type TrailEntry = typeof trail.$inferSelect;

/** An entry matches if it concerns any of them. */
export interface SearchedIds {
  orderIds: readonly string[];
  paymentId: string;
  productIds: readonly string[];
  /** As actor or affected user. */
  userIds: readonly string[];
}

export interface TrailSearch extends PageRequest {
  actorId?: string | undefined;
  event?: TrailEvent | undefined;
  topic?: TrailTopic | undefined;
  /** The first moment; `to` itself is not included. */
  from?: Date | undefined;
  to?: Date | undefined;
  about?: SearchedIds | undefined;
}

/**
 * Newest first.
 * @throws Problem `invalid` for an unknown cursor
 */
export function findEntries<Shown>(
  db: Drizzle,
  { actorId, event, topic, from, to, about, ...request }: TrailSearch,
  toWire: (entry: TrailEntry) => Shown,
): Promise<Page<Shown>> {
  const matches = and(
    actorId ? eq(trail.actorId, actorId) : undefined,
    event ? eq(trail.event, event) : undefined,
    topic ? eq(trail.topic, topic) : undefined,
    from ? gte(trail.createdAt, from) : undefined,
    to ? lt(trail.createdAt, to) : undefined,
    about ? isAbout(about) : undefined,
  );
  return findPage(db, trail, request, newestFirst(trail), matches, toWire);
}

const isAbout = ({ orderIds, paymentId, productIds, userIds }: SearchedIds): SQL | undefined =>
  or(
    eq(trail.paymentId, paymentId),
    inArray(trail.orderId, orderIds),
    inArray(trail.productId, productIds),
    inArray(trail.userId, userIds),
    inArray(trail.actorId, userIds),
  );

/** Acts by and on a person, newest first. */
export function findPersonEntries(db: Executor, userId: string, limit: number): Promise<TrailEntry[]> {
  return db
    .select()
    .from(trail)
    .where(or(eq(trail.actorId, userId), eq(trail.userId, userId)))
    .orderBy(desc(trail.createdAt), desc(trail.id))
    .limit(limit);
}

/**
 * Newest first.
 * @param events null for all
 */
export function findOrderEntries(
  db: Executor,
  orderIds: readonly string[],
  events: readonly TrailEvent[] | null,
  limit: number,
): Promise<TrailEntry[]> {
  return db
    .select()
    .from(trail)
    .where(and(inArray(trail.orderId, [...orderIds]), events ? inArray(trail.event, events) : undefined))
    .orderBy(desc(trail.createdAt), desc(trail.id))
    .limit(limit);
}

/** An SQL condition. Uses the index `trail_order`, for callers that filter many orders. */
export const happenedSince = (orderId: AnyPgColumn, event: TrailEvent, since: Date): SQL =>
  sql`exists (select from ${trail} where ${and(eq(trail.orderId, orderId), isSince(event, since))})`;

/** The earliest first. Uses the index `trail_topic`. */
export async function findOrdersSince(
  db: Executor,
  event: TrailEvent,
  since: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .select({ orderId: trail.orderId })
    .from(trail)
    .where(isSince(event, since))
    .orderBy(trail.createdAt)
    .limit(limit);
  return rows.flatMap(({ orderId }) => orderId ?? []);
}

const isSince = (event: TrailEvent, since: Date): SQL | undefined =>
  and(eq(trail.topic, trailEvents[event]), eq(trail.event, event), gte(trail.createdAt, since));

/** Pieces of each stock change by administrators, by part. */
export async function findStockChanges(
  db: Executor,
  productIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string | null, readonly (number | null)[]>> {
  if (productIds.length === 0) return new Map();
  const { productId, stockChange, createdAt } = trail;
  const matches = and(
    // The index on topic and time bounds the rows.
    eq(trail.topic, trailEvents['stock-restocked']),
    inArray(trail.event, ['stock-restocked', 'stock-corrected']),
    gte(createdAt, since),
    inArray(productId, productIds),
  );
  const rows = await db.select({ productId, stockChange }).from(trail).where(matches);
  const byPart = Map.groupBy(rows, (row) => row.productId);
  return new Map([...byPart].map(([id, changes]) => [id, changes.map((row) => row.stockChange)]));
}

/** Cents become units of the shop's currency, and the name loses its unit. */
export function toWireFacts(facts: Facts): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) =>
      typeof value === 'number' && name.endsWith('Cents')
        ? [name.slice(0, -'Cents'.length), toAmount(value)]
        : [name, value],
    ),
  );
}
