import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { EVENT_DAYS, MAX_WEBHOOKS } from '@parts-forge/contract/calls/bounds';
import type { ShopEvent } from '@parts-forge/contract/events/events';
import type { Delivery } from '@parts-forge/contract/events/webhooks';
import { and, asc, eq, sql } from 'drizzle-orm';
import { numberEvents, USUAL_COMMIT_MS } from '#src/events/number-events.ts';
import { events } from '#src/events/schema.ts';
import { findEvents, findLastNumber } from '#src/events/store.ts';
import { writeMails } from '#src/mail-outbox/write-mail.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { isClaimed } from '#src/platform/database/claim.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import { createWorker } from '#src/platform/jobs/worker.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { type Answer, postEvent } from './post-event.ts';
import { webhooks } from './schema.ts';
import {
  AT_ONCE,
  describe,
  listSecrets,
  lockWebhook,
  noFailure,
  recordDelivery,
  type WebhookRow,
} from './webhooks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than an attempt. A process that dies delays its webhooks by it. */
const CLAIM_MS = MINUTE_MS;
/** With the first delay, a failure is tried again within 30 s. */
const RETRY_SECONDS = 10;
const MINUTES_UNTIL_NEXT = [0.3, 1, 2, 5, 15, 30, 60, 120, 240, 360];
const REFUSED_MS = HOUR_MS;
const OFF_MS = 5 * 24 * HOUR_MS;
/** Besides the time, as the shop itself may have stood still. */
const MIN_ATTEMPTS = 5;
const EVENTS_AT_ONCE = 20;
/** Share of the time that the process works. */
const BUSY = 0.5;
const BUSY_PAUSE_MS = 250;
/** Leaves the database to others while a webhook catches up. */
const PAUSE_MS = 5;

type Services = Pick<Platform, 'changes' | 'clock' | 'config' | 'copiedAt' | 'database' | 'ids' | 'log'>;

/** Between two events of a webhook. */
type Pause = (signal: AbortSignal) => Promise<unknown>;

/**
 * Sends what is due: each webhook at its own place, by one process at a time, so that a slow receiver delays no
 * other. A restored copy sends nothing.
 */
export const createSender = (platform: Services, pause: Pause = async () => {}) =>
  createWorker({
    claim: async (limit) => (platform.copiedAt === null ? claimDue(platform, limit) : []),
    handle: (webhook, signal) => sendAll(platform, webhook, signal, pause),
    atOnce: MAX_WEBHOOKS,
    log: platform.log,
    message: 'events could not be sent; the next round does',
  });

function claimDue({ database: { db }, clock }: Services, limit: number): Promise<WebhookRow[]> {
  const now = clock.now();
  const isWaiting = sql`${webhooks.state} = 'on' and ${webhooks.place} < (select max(number) from events)`;
  return db
    .update(webhooks)
    .set({ nextAttemptAt: inMs(now, CLAIM_MS) })
    .where(isClaimed(webhooks, webhooks.id, isWaiting, now, limit))
    .returning();
}

/** Until no event is left, or one fails. */
async function sendAll(
  platform: Services,
  claimed: WebhookRow,
  signal: AbortSignal,
  pause: Pause,
): Promise<void> {
  const { db } = platform.database;
  for (let webhook = await noteForgotten(platform, claimed); webhook; ) {
    // First: an event that is numbered between the two reads is sent, or comes after this number.
    const place = await findLastNumber(db);
    const found = await findEvents(db, webhook.place, EVENTS_AT_ONCE, webhook.types);
    if (found.length === 0 || signal.aborted) {
      const rest = found.length === 0 && { place, ...noFailure };
      await settle(db, webhook, { ...rest, nextAttemptAt: AT_ONCE });
      return;
    }
    for (const event of found) {
      if (!webhook || signal.aborted) break;
      const answer = await post(platform, webhook, event, signal);
      // A failure may be the shop's own end.
      if (isTaken(answer) || !signal.aborted) webhook = await note(platform, webhook, event, answer);
      await pause(signal);
    }
  }
}

/** Events that were no longer kept when their turn came leave one row. */
async function noteForgotten(platform: Services, webhook: WebhookRow): Promise<WebhookRow | undefined> {
  const { clock, database } = platform;
  const [first] = await database.db.select().from(events).orderBy(asc(events.number)).limit(1);
  // The newest of those that are too old is kept as their mark.
  const isForgotten = first && first.at < inMs(clock.now(), -EVENT_DAYS * 24 * HOUR_MS);
  if (!isForgotten || first.number <= webhook.place) return webhook;
  return note(platform, webhook, first, { answer: GONE, ms: 0 });
}

/** Undefined when another process or an administrator has taken the webhook away: the event comes again. */
async function settle(tx: Executor, { id, nextAttemptAt }: WebhookRow, set: Partial<WebhookRow>) {
  const isOurs = and(eq(webhooks.id, id), eq(webhooks.nextAttemptAt, nextAttemptAt));
  return (await tx.update(webhooks).set(set).where(isOurs).returning()).at(0);
}

/** @returns the webhook when the next event comes at once */
async function note(
  { changes, clock, database, ids }: Services,
  webhook: WebhookRow,
  { number, type }: Pick<ShopEvent, 'number' | 'type'>,
  answer: Answer,
): Promise<WebhookRow | undefined> {
  const now = clock.now();
  const { state, set } = judge(webhook, answer, now);
  const claim = state !== 'failed' && { place: number, nextAttemptAt: inMs(now, CLAIM_MS) };
  const last = { type, at: now.toISOString(), ...answer };
  const record = (tx: Executor) => settle(tx, webhook, { ...set, ...claim, last });
  if (state === 'sent' && webhook.attempts === 0) return record(database.db);
  return changes.write(async (tx, changed) => {
    const settled = await record(tx);
    if (!settled) return undefined;
    const delivery = { id: ids.next(), webhookId: webhook.id, event: number, type, state, at: now };
    await recordDelivery(tx, { ...delivery, ...answer });
    if (state !== 'failed') return settled;
    if (settled.state === 'on') return undefined;
    const facts = { before: describe(webhook), after: { webhook: webhook.id, ...describe(settled) } };
    await writeEntry(tx, { id: ids.next(), now, event: 'webhook-changed', ...facts });
    const administrators = sql`
      select id, null, null, null::uuid[] from users where role = 'admin' and deleted_at is null`;
    await writeMails(tx, 'webhook-off', now, administrators);
    changed('mail');
    return undefined;
  });
}

type Verdict = { state: Delivery['state']; set: Partial<WebhookRow> };

function judge(webhook: WebhookRow, answer: Answer, now: Date): Verdict {
  if (isTaken(answer)) return { state: 'sent', set: noFailure };
  const isRefused = /^4\d\d$/.test(answer.answer) && !['408', '429'].includes(answer.answer);
  const failingSince = webhook.failingSince ?? now;
  const refusedSince = webhook.refusedSince ?? (isRefused ? now : null);
  const lasts = (since: Date | null, ms: number) =>
    since !== null && now.getTime() - since.getTime() >= ms && webhook.attempts >= MIN_ATTEMPTS;
  if (answer.answer === GONE)
    return { state: 'set-aside', set: { ...noFailure, failingSince: webhook.failingSince } };
  if (answer.answer === '410' || lasts(failingSince, OFF_MS))
    return { state: 'failed', set: { failingSince, state: 'off' } };
  if (isRefused && lasts(refusedSince, REFUSED_MS))
    return { state: 'set-aside', set: { ...noFailure, failingSince } };
  // A refused event waits half an hour at most.
  const minutes = MINUTES_UNTIL_NEXT[Math.min(webhook.attempts, isRefused ? 5 : 9)] ?? 0;
  const attempts = webhook.attempts + 1;
  const nextAttemptAt = inMs(now, minutes * MINUTE_MS);
  return { state: 'failed', set: { attempts, failingSince, refusedSince, nextAttemptAt } };
}

const GONE = 'EVENTS_GONE';
const isTaken = ({ answer }: Answer): boolean => /^2\d\d$/.test(answer);

/**
 * One attempt out of order, by an administrator; without a number a test.
 * @throws Problem `not-found`, `restored-copy`
 */
export async function sendDelivery(
  platform: Services,
  administrator: Administrator,
  id: string,
  number?: number,
) {
  const { changes, clock, copiedAt, database, ids } = platform;
  if (copiedAt !== null) throw new Problem('restored-copy');
  const webhook = await lockWebhook(database.db, id);
  const test = { id: ids.next(), number: 0, type: 'test', at: clock.now().toISOString() };
  const [event] = number === undefined ? [test] : await findEvents(database.db, number - 1, 1);
  if (event?.number !== (number ?? 0)) throw new Problem('not-found');
  await administrator.confirm(database.db);
  const answer = await post(platform, webhook, event);
  const at = clock.now();
  const state: Delivery['state'] = isTaken(answer) ? 'sent' : 'failed';
  await changes.write(async (tx) => {
    const { failingSince } = await lockWebhook(tx, id);
    // The next round tries again.
    if (state === 'sent' && failingSince)
      await tx.update(webhooks).set({ nextAttemptAt: AT_ONCE }).where(eq(webhooks.id, id));
    const delivery = { id: ids.next(), webhookId: id, event: number ?? null, type: event.type, state, at };
    await recordDelivery(tx, { ...delivery, ...answer });
  });
  return { state, ...answer };
}

type Sent = Pick<ShopEvent, 'id' | 'at'> & { type: string };

function post({ clock, config }: Services, webhook: WebhookRow, event: Sent, signal?: AbortSignal) {
  const now = clock.now();
  return postEvent({
    url: webhook.url,
    secrets: listSecrets(webhook, now),
    id: event.id,
    now,
    body: JSON.stringify({ type: event.type, timestamp: event.at, data: event }),
    hosts: config.webhookHosts,
    signal,
  });
}

const inMs = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/** While the process is busy, its requests come first, and events come later. */
function createPause(): Pause {
  let before = performance.eventLoopUtilization();
  return (signal) => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return wait(utilization > BUSY ? BUSY_PAUSE_MS : PAUSE_MS, undefined, { signal }).catch(() => {});
  };
}

/**
 * Numbers and sends a second after each change; tries again each ten seconds.
 * @returns stops and cuts attempts
 */
export function startEvents(platform: Platform): () => Promise<void> {
  const sender = createSender(platform, createPause());
  let numbering: Promise<void> | null = null;
  let seconds = 0;
  let isChanged = true;
  platform.changes.subscribe(() => {
    isChanged = true;
  });
  const number = async () => {
    try {
      await numberEvents(platform, USUAL_COMMIT_MS);
      sender.wake();
    } catch (error) {
      platform.log.warn({ err: error }, 'events could not be numbered; the next round does');
    }
    numbering = null;
  };
  const timer = setInterval(() => {
    seconds += 1;
    if (numbering || (!isChanged && seconds % RETRY_SECONDS !== 0)) return;
    isChanged = false;
    numbering = number();
  }, 1_000);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await Promise.all([numbering, sender.close()]);
  };
}
