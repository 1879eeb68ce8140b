import { randomBytes } from 'node:crypto';
import { MAX_WEBHOOKS, SECRET_OVERLAP_HOURS } from '@parts-forge/contract/calls/bounds';
import type { Delivery, NewWebhook, Webhook, WebhookChange } from '@parts-forge/contract/events/webhooks';
import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { findLastNumber } from '#src/events/store.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Administrator, actAs, requireRecentSignIn } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findPresentPeople } from '#src/users/store.ts';
import { requirePublicAddress } from './post-event.ts';
import { webhookDeliveries, webhooks } from './schema.ts';

export type WebhookRow = typeof webhooks.$inferSelect;
/** Far past, so that a clock that is set back delays nothing. */
export const AT_ONCE = new Date(0);
const COUNTED_EVENTS = 10_000;
export const noFailure = { attempts: 0, failingSince: null, refusedSince: null };
type Services = Pick<Platform, 'changes' | 'clock' | 'config' | 'ids'>;

/** Receivers bound the length of a header. */
const MAX_FORMER = 5;

/** The newest first; former ones until the overlap ends. */
export const listSecrets = ({ secret, formerSecret, formerUntil }: WebhookRow, now: Date): string[] => [
  secret,
  ...(formerSecret !== null && formerUntil !== null && formerUntil > now ? formerSecret.split(' ') : []),
];

/**
 * It begins with the next event.
 * @throws Problem `sign-in-again`, `invalid`, and those of `Actor.confirm`
 */
export async function createWebhook(
  { changes, clock, config, ids }: Services,
  actor: Administrator,
  { types, ...given }: NewWebhook,
): Promise<{ secret: string; data: Webhook }> {
  const now = clock.now();
  requireRecentSignIn(actor, now);
  const url = await requirePublicAddress(given.url, config.webhookHosts);
  const id = ids.next();
  const secret = createSecret();
  return actAs(changes, actor, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhooks'))`);
    if ((await tx.$count(webhooks)) >= MAX_WEBHOOKS)
      throw invalidField('url', `The shop has ${MAX_WEBHOOKS} webhooks already; remove one first`);
    const place = await findLastNumber(tx);
    await tx.insert(webhooks).values({
      id,
      url,
      types,
      secret,
      place,
      nextAttemptAt: AT_ONCE,
      madeBy: actor.userId,
      createdAt: now,
    });
    const after = { webhook: id, ...describe({ url, types, state: 'on' }) };
    await writeEntry(tx, { id: ids.next(), now, event: 'webhook-made', after });
    return { secret, data: await readWebhook(tx, id) };
  });
}

/**
 * A process that sends to it meanwhile stops, and the event comes again.
 * @throws Problem `sign-in-again`, `not-found`
 */
export async function changeWebhook(
  { changes, clock, ids }: Services,
  actor: Administrator,
  id: string,
  { state, ...given }: WebhookChange,
): Promise<{ secret?: string; data: Webhook }> {
  const now = clock.now();
  if (given.secret) requireRecentSignIn(actor, now);
  const secret = given.secret && createSecret();
  return actAs(changes, actor, async (tx, changed) => {
    const before = await lockWebhook(tx, id);
    // Who switches it on answers for it.
    const madeBy = state === 'on' ? actor.userId : before.madeBy;
    const isTakenOver = madeBy !== before.madeBy;
    const after = { ...before, ...(state && { state }) };
    const formerUntil = new Date(now.getTime() + SECRET_OVERLAP_HOURS * 3_600_000);
    const isSwitched = after.state !== before.state;
    await tx
      .update(webhooks)
      .set({
        state: after.state,
        madeBy,
        ...(isSwitched && { ...noFailure, nextAttemptAt: AT_ONCE }),
        ...(secret && {
          secret,
          formerSecret: listSecrets(before, now).slice(0, MAX_FORMER).join(' '),
          formerUntil,
        }),
      })
      .where(eq(webhooks.id, id));
    if (isSwitched || isTakenOver || secret) {
      const facts = {
        webhook: id,
        ...describe(after),
        ...(secret && { secret: 'new' }),
        ...(isTakenOver && { takenOver: true }),
      };
      const entry = { id: ids.next(), now, before: describe(before), after: facts };
      await writeEntry(tx, { ...entry, event: 'webhook-changed' });
    }
    changed('events');
    return { ...(secret && { secret }), data: await readWebhook(tx, id) };
  });
}

/** With their maker's role, in its transaction. A process that sends meanwhile stops. Repeatable. */
export async function switchOffWebhooks(
  tx: Executor,
  { ids }: Pick<Platform, 'ids'>,
  userId: string,
  now: Date,
): Promise<void> {
  const ended = await tx
    .update(webhooks)
    .set({ state: 'off', ...noFailure, nextAttemptAt: AT_ONCE })
    .where(and(eq(webhooks.madeBy, userId), eq(webhooks.state, 'on')))
    .returning();
  for (const webhook of ended) {
    const before = describe({ ...webhook, state: 'on' });
    const after = { webhook: webhook.id, ...describe(webhook) };
    await writeEntry(tx, { id: ids.next(), now, event: 'webhook-changed', before, after });
  }
}

/** @throws Problem `not-found` */
export async function deleteWebhook(
  { changes, clock, ids }: Services,
  actor: Administrator,
  id: string,
): Promise<void> {
  await actAs(changes, actor, async (tx) => {
    const before = { webhook: id, ...describe(await lockWebhook(tx, id)) };
    await tx.delete(webhooks).where(eq(webhooks.id, id));
    await writeEntry(tx, { id: ids.next(), now: clock.now(), event: 'webhook-ended', before });
  });
}

/** Oldest first. Counts within the next events alone: a million may wait. */
export async function findWebhooks(db: Executor, id?: string): Promise<Webhook[]> {
  const waiting = sql<number>`(select count(*)::int from (select type from events
    where number > ${webhooks.place} order by number limit ${COUNTED_EVENTS}) next where type = any(${webhooks.types}))`;
  const rows = await db
    .select({ ...getTableColumns(webhooks), waiting })
    .from(webhooks)
    .where(id ? eq(webhooks.id, id) : undefined)
    .orderBy(asc(webhooks.id));
  const makers = rows.flatMap(({ madeBy }) => madeBy ?? []);
  const people = await findPresentPeople(db, makers);
  const deliveries = await db
    .select()
    .from(webhookDeliveries)
    .orderBy(desc(webhookDeliveries.at), desc(webhookDeliveries.id));
  return rows.map(({ id: _id, url, types, waiting, last, ...row }) => {
    const failingSince = row.failingSince?.toISOString();
    const { madeBy, createdAt } = row;
    return {
      _id,
      url,
      types,
      waiting,
      createdAt: createdAt.toISOString(),
      ...(madeBy !== null && { madeBy: { _id: madeBy, ...people.get(madeBy) } }),
      state: row.state === 'on' && failingSince ? 'behind' : row.state,
      ...(failingSince && { failingSince }),
      deliveries: deliveries.filter(({ webhookId }) => webhookId === _id).map(toDelivery),
      ...(last && { last }),
    };
  });
}

/** @throws Problem `not-found` */
async function readWebhook(db: Executor, id: string): Promise<Webhook> {
  const [found] = await findWebhooks(db, id);
  if (!found) throw new Problem('not-found');
  return found;
}

/** @throws Problem `not-found` */
export async function lockWebhook(tx: Executor, id: string): Promise<WebhookRow> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update');
  if (!row) throw new Problem('not-found');
  return row;
}

type NewDelivery = Omit<typeof webhookDeliveries.$inferInsert, 'attempts'>;

/** One row for each event. Keeps the newest hundred, and for thirty days those that were set aside. */
export async function recordDelivery(tx: Executor, delivery: NewDelivery): Promise<void> {
  const { state, answer, ms, at, webhookId } = delivery;
  await tx
    .insert(webhookDeliveries)
    .values(delivery)
    .onConflictDoUpdate({
      target: [webhookDeliveries.webhookId, webhookDeliveries.event],
      set: {
        state: sql`case when ${state} = 'failed' and ${webhookDeliveries.state} = 'set-aside' then 'set-aside' else ${state} end`,
        answer,
        ms,
        at,
        attempts: sql`${webhookDeliveries.attempts} + 1`,
      },
    });
  await tx.execute(sql`
    delete from webhook_deliveries where webhook_id = ${webhookId} and (
      at < ${at.toISOString()}::timestamptz - interval '30 days'
      or id in (select id from webhook_deliveries where webhook_id = ${webhookId} and state <> 'set-aside'
        order by at desc, id desc offset 100))`);
}

const createSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** For the trail. The address may have a secret in its path. */
export const describe = ({ url, types, state }: Pick<WebhookRow, 'url' | 'types' | 'state'>) => ({
  host: new URL(url).host,
  types: types.join(' '),
  state,
});

function toDelivery(row: typeof webhookDeliveries.$inferSelect): Delivery {
  const { id, webhookId: _, event, at, ...rest } = row;
  return { _id: id, ...(event !== null && { event }), ...rest, at: at.toISOString() };
}
