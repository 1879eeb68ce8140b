import { toAmount } from '@parts-forge/contract/money';
import { type TrailEvent, type TrailTopic, trailEvents } from '@parts-forge/contract/trail-events';
import { and, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import { type Facts, trail } from './schema.ts';

export type TrailEntry = typeof trail.$inferSelect;

/** Ids that a search has found; an entry about any of them is one that is looked for. */
export interface SearchedIds {
  orderId: string | null;
  paymentId: string;
  productIds: readonly string[];
  /** Of whoever did it, or to whom it was done. */
  userIds: readonly string[];
}

export interface TrailSearch extends PageRequest {
  actorId?: string | undefined;
  event?: TrailEvent | undefined;
  topic?: TrailTopic | undefined;
  /** Included. */
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  about?: SearchedIds | undefined;
}

/**
 * One page of the trail, newest first.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export function findEntries<Shown>(
  db: Executor,
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

const isAbout = ({ orderId, paymentId, productIds, userIds }: SearchedIds): SQL | undefined =>
  or(
    eq(trail.paymentId, paymentId),
    orderId === null ? undefined : eq(trail.orderId, orderId),
    inArray(trail.productId, productIds),
    inArray(trail.userId, userIds),
    inArray(trail.actorId, userIds),
  );

/** What a person did and what was done to them, newest first. */
export function findPersonEntries(db: Executor, userId: string): Promise<TrailEntry[]> {
  return db
    .select()
    .from(trail)
    .where(or(eq(trail.actorId, userId), eq(trail.userId, userId)))
    .orderBy(desc(trail.createdAt), desc(trail.id));
}

/**
 * What happened to an order, newest first.
 * @param events these alone; null for all
 */
export function findOrderEntries(
  db: Executor,
  orderId: string,
  events: readonly TrailEvent[] | null,
  limit: number,
): Promise<TrailEntry[]> {
  return db
    .select()
    .from(trail)
    .where(and(eq(trail.orderId, orderId), events ? inArray(trail.event, events) : undefined))
    .orderBy(desc(trail.createdAt), desc(trail.id))
    .limit(limit);
}

/**
 * In a statement: whether this happened to an order at a moment or later. The topic leads to the entries of a short time,
 * the order to those of one among many.
 */
export const happenedSince = (orderId: AnyPgColumn, event: TrailEvent, since: Date): SQL =>
  sql`exists (select from ${trail} where ${and(
    eq(trail.orderId, orderId),
    eq(trail.topic, trailEvents[event]),
    eq(trail.event, event),
    gte(trail.createdAt, since),
  )})`;

/** Pieces that administrators brought to these parts, or took away, since a moment; the newest last. */
export function findStockChanges(
  db: Executor,
  productIds: readonly string[],
  since: Date,
): Promise<Pick<TrailEntry, 'productId' | 'stockChange' | 'createdAt'>[]> {
  const { productId, stockChange, createdAt } = trail;
  const matches = and(
    // Its index has the entries of a short time, whatever a part has been through.
    eq(trail.topic, trailEvents['stock-restocked']),
    inArray(trail.event, ['stock-restocked', 'stock-corrected']),
    gte(createdAt, since),
    inArray(productId, productIds),
  );
  return db.select({ productId, stockChange, createdAt }).from(trail).where(matches).orderBy(createdAt);
}

/** Facts as the wire shows them: cents are dollars there, under a name without the unit. */
export function toWireFacts(facts: Facts): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) =>
      typeof value === 'number' && name.endsWith('Cents')
        ? [name.slice(0, -'Cents'.length), toAmount(value)]
        : [name, value],
    ),
  );
}
