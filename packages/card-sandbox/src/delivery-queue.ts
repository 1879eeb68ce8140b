import { eq, sql } from 'drizzle-orm';
import type { Executor } from './database.ts';
import { deleteObject, putObject, type StoredDelivery } from './object-store.ts';
import { sandboxObjects } from './schema.ts';
import type { SandboxEvent } from './stripe-objects.ts';

/** Before the second, third, … attempt; the last one gives up. */
const RETRY_DELAYS_S = [1, 5, 30, 120, 600, 3600, 3600 * 6, 3600 * 24, 3600 * 24];
/** Then another process may repeat a dead process's attempt. */
const LEASE_S = 30;

/** @param minAgeMs skips younger deliveries */
export async function claimDeliveries(
  db: Executor,
  { now, minAgeMs, limit }: { now: Date; minAgeMs: number; limit: number },
): Promise<StoredDelivery[]> {
  const leasedUntil = new Date(now.getTime() + LEASE_S * 1000).toISOString();
  const createdBefore = new Date(now.getTime() - minAgeMs).toISOString();
  const { rows } = await db.execute<{ data: StoredDelivery }>(sql`
    update sandbox_objects set data = jsonb_set(data, '{nextAt}', to_jsonb(${leasedUntil}::text))
    where id in (
      select id from sandbox_objects
      where kind = 'delivery' and (data->>'nextAt')::timestamptz <= ${now.toISOString()}::timestamptz
        and created_at <= ${createdBefore}::timestamptz
      order by created_at, id limit ${limit} for update skip locked)
    returning data`);
  return rows.map(({ data }) => data);
}

export async function completeDelivery(
  db: Executor,
  { id }: StoredDelivery,
  event: SandboxEvent,
  { isAccepted, now }: { isAccepted: boolean; now: Date },
): Promise<void> {
  await putObject(db, 'event', { ...event, pending_webhooks: isAccepted ? 0 : 1 }, now);
  await deleteObject(db, 'delivery', id);
}

/** False after the last attempt. */
export async function retryDelivery(db: Executor, delivery: StoredDelivery, now: Date): Promise<boolean> {
  const delayS = RETRY_DELAYS_S[delivery.tries];
  if (delayS === undefined) return false;
  const nextAt = new Date(now.getTime() + delayS * 1000).toISOString();
  await putObject(db, 'delivery', { ...delivery, tries: delivery.tries + 1, nextAt }, now);
  return true;
}

export async function findNextDeliveryTime(db: Executor): Promise<Date | null> {
  const [row] = await db
    .select({ nextAt: sql<string | null>`min(${sandboxObjects.data}->>'nextAt')` })
    .from(sandboxObjects)
    .where(eq(sandboxObjects.kind, 'delivery'));
  return row?.nextAt ? new Date(row.nextAt) : null;
}
