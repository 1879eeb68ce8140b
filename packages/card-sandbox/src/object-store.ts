import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import { resourceMissing } from './api-error.ts';
import type { Executor } from './database.ts';
import { sandboxObjects } from './schema.ts';
import type { SandboxEvent } from './stripe-objects.ts';

/** Created at confirmation; `token` names the test card. */
export interface StoredPaymentMethod {
  id: string;
  token: string;
}
/** Knowing its id is enough to answer it. */
export interface StoredChallenge {
  id: string;
  intentId: string;
  clientSecret: string;
}
export interface StoredResponse {
  id: string;
  requestHash: string;
  status: number;
  body: string;
}
/** Times in ISO 8601. */
export interface StoredDelivery {
  id: string;
  eventId: string;
  tries: number;
  nextAt: string;
}
export interface StoredControl {
  id: string;
  webhooks: 'deliver' | 'drop' | 'twice' | 'delay' | 'hold';
  delayMs: number;
  faults: { fault: 'timeout-before' | 'timeout-after' | '500' | '429'; on: string | null }[];
  processing: boolean;
  newRefunds?: 'succeeded' | 'pending' | 'failed';
}

export interface StoredObjects {
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  event: SandboxEvent;
  payment_method: StoredPaymentMethod;
  challenge: StoredChallenge;
  idempotency: StoredResponse;
  delivery: StoredDelivery;
  control: StoredControl;
}
export type ObjectKind = keyof StoredObjects;

/** `lock` locks the row until the transaction ends. */
export async function findObject<K extends ObjectKind>(
  tx: Executor,
  kind: K,
  id: string,
  { lock = false } = {},
): Promise<StoredObjects[K] | null> {
  // PostgreSQL's text cannot contain it.
  if (id.includes('\u0000')) return null;
  const query = tx
    .select({ data: sandboxObjects.data })
    .from(sandboxObjects)
    .where(and(eq(sandboxObjects.id, id), eq(sandboxObjects.kind, kind)));
  const [row] = lock ? await query.for('update') : await query;
  // Only `putObject` writes rows, with this type.
  return row ? (row.data as StoredObjects[K]) : null;
}

/** @throws ApiError `resource_missing` */
export async function retrieveObject<K extends ObjectKind>(
  tx: Executor,
  kind: K,
  id: string,
  options: { lock?: boolean } = {},
): Promise<StoredObjects[K]> {
  const object = await findObject(tx, kind, id, options);
  if (!object) throw resourceMissing(kind, id);
  return object;
}

export async function putObject<K extends ObjectKind>(
  tx: Executor,
  kind: K,
  data: StoredObjects[K],
  now: Date,
): Promise<void> {
  await tx
    .insert(sandboxObjects)
    .values({ id: data.id, kind, data, createdAt: now })
    .onConflictDoUpdate({ target: sandboxObjects.id, set: { data } });
}

export async function deleteObject(tx: Executor, kind: ObjectKind, id: string): Promise<void> {
  await tx.delete(sandboxObjects).where(and(eq(sandboxObjects.id, id), eq(sandboxObjects.kind, kind)));
}

export interface ObjectFilter {
  limit?: number;
  paymentIntent?: string | undefined;
  /** Types of events; empty lists all. */
  types?: readonly string[];
  /** Id of the last one of the former page. */
  after?: string | undefined;
  /** The first moment; `before` itself is not included. */
  since?: Date | undefined;
  before?: Date | undefined;
}

export async function listObjects<K extends ObjectKind>(
  tx: Executor,
  kind: K,
  { limit = 100, paymentIntent, types = [], after, since, before }: ObjectFilter = {},
): Promise<StoredObjects[K][]> {
  const rows = await tx
    .select({ data: sandboxObjects.data })
    .from(sandboxObjects)
    .where(
      and(
        eq(sandboxObjects.kind, kind),
        paymentIntent === undefined
          ? undefined
          : sql`${sandboxObjects.data}->>'payment_intent' = ${paymentIntent}`,
        types.length > 0 ? inArray(sql`${sandboxObjects.data}->>'type'`, [...types]) : undefined,
        after === undefined
          ? undefined
          : sql`(${sandboxObjects.createdAt}, ${sandboxObjects.id}) < (
              select created_at, id from ${sandboxObjects} where id = ${after} and kind = ${kind})`,
        since && gte(sandboxObjects.createdAt, since),
        before && lt(sandboxObjects.createdAt, before),
      ),
    )
    .orderBy(desc(sandboxObjects.createdAt), desc(sandboxObjects.id))
    .limit(limit);
  return rows.map(({ data }) => data as StoredObjects[K]);
}

/** Keeps events that wait for delivery. */
export async function pruneEvents(db: Executor, before: Date): Promise<void> {
  await db.execute(sql`
    delete from sandbox_objects event
    where event.kind = 'event' and event.created_at < ${before.toISOString()}::timestamptz
      and not exists (
        select from sandbox_objects delivery
        where delivery.kind = 'delivery' and delivery.data->>'eventId' = event.id)`);
}
