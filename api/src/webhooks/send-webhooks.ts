import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShopEvent } from '@parts-forge/contract/events';
import type { Delivery } from '@parts-forge/contract/webhooks';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { findEvents } from '#src/events/store.ts';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext, SYSTEM } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { type Answer, postEvent } from './post-event.ts';
import { type webhookDeliveries, webhooks } from './schema.ts';
import {
  describe,
  findLastNumber,
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
const ROUND_MS = 10_000;
const MINUTES_UNTIL_NEXT = [0.3, 1, 2, 5, 15, 30, 60, 120, 240, 360];
const REFUSED_MS = HOUR_MS;
const EVENTS_AT_ONCE = 20;
/** Share of the time that the process works. */
const BUSY = 0.5;
const PAUSE_MS = 250;
const OFF_MS = 5 * 24 * HOUR_MS;

const OUTCOMES = ['sent', 'failed', 'set-aside', 'off'] as const;
type Outcome = (typeof OUTCOMES)[number];
type Needs = Pick<Platform, 'changes' | 'clock' | 'config' | 'copiedAt' | 'database' | 'ids'>;

interface Sending {
  signal?: AbortSignal | undefined;
  count?: ((outcome: Outcome) => void) | undefined;
  /** Between two events of a webhook. */
  pause?: () => Promise<void>;
}

/**
 * Sends what is due: each webhook at its own place, by one process at a time. Repeatable, also concurrently.
 * A restored copy sends nothing.
 */
export async function sendWebhooks(platform: Needs, sending: Sending = {}): Promise<void> {
  if (platform.copiedAt !== null || sending.signal?.aborted) return;
  const claimed = await claimDue(platform);
  await Promise.all(claimed.map((webhook) => sendAll(platform, webhook, sending)));
}

async function claimDue({ database: { db }, clock }: Needs): Promise<WebhookRow[]> {
  const now = clock.now();
  const isDue = sql`${webhooks.state} = 'on' and ${lte(webhooks.nextAttemptAt, now)}
    and ${webhooks.place} < (select max(number) from events)`;
  const due = db.select({ id: webhooks.id }).from(webhooks).where(isDue).for('update', { skipLocked: true });
  const nextAttemptAt = inMs(now, CLAIM_MS);
  return db.update(webhooks).set({ nextAttemptAt }).where(inArray(webhooks.id, due)).returning();
}

/** Until no event is left, or one fails. */
async function sendAll(platform: Needs, claimed: WebhookRow, sending: Sending): Promise<void> {
  const { signal, count, pause } = sending;
  const { clock } = platform;
  const { db } = platform.database;
  for (let webhook: WebhookRow | undefined = claimed; webhook; ) {
    // First: an event that is numbered between the two reads is sent, or comes after this number.
    const place = await findLastNumber(db);
    const found = await findEvents(db, webhook.place, EVENTS_AT_ONCE, webhook.types);
    if (found.length === 0 || signal?.aborted) {
      const rest = found.length === 0 && { place, ...noFailure };
      await settle(db, webhook, { ...rest, nextAttemptAt: clock.now() });
      return;
    }
    for (const event of found) {
      if (!webhook || signal?.aborted) break;
      const answer = await post(platform, webhook, event, signal);
      if (!signal?.aborted) webhook = await note(platform, webhook, event, answer, count);
      await pause?.();
    }
  }
}

/** Undefined when another process or an administrator has taken the webhook away: the event comes again. */
async function settle(tx: Executor, { id, nextAttemptAt }: WebhookRow, set: Partial<WebhookRow>) {
  const isOurs = and(eq(webhooks.id, id), eq(webhooks.nextAttemptAt, nextAttemptAt));
  return (await tx.update(webhooks).set(set).where(isOurs).returning()).at(0);
}

/** @returns the webhook when the next event comes at once */
async function note(
  { changes, clock, database, ids }: Needs,
  webhook: WebhookRow,
  event: ShopEvent,
  answer: Answer,
  count: Sending['count'],
): Promise<WebhookRow | undefined> {
  const now = clock.now();
  const { outcome, set } = judge(webhook, answer, now);
  const goesOn = outcome === 'sent' || outcome === 'set-aside';
  const claim = goesOn && { place: event.number, nextAttemptAt: inMs(now, CLAIM_MS) };
  const last = { type: event.type, at: now.toISOString(), answer: answer.answer, ms: answer.ms };
  const record = (tx: Executor) => settle(tx, webhook, { ...set, ...claim, last });
  const write = async (tx: Executor, changed: (tag: 'mail') => void) => {
    const settled = await record(tx);
    if (!settled) return undefined;
    const state = goesOn ? outcome : 'failed';
    await recordDelivery(tx, toDelivery(ids.next(), webhook, event, state, answer, now));
    if (outcome !== 'off') return settled;
    const facts = { before: describe(webhook), after: { webhook: webhook.id, ...describe(settled) } };
    await writeEntry(tx, { id: ids.next(), now, event: 'webhook-changed', ...facts });
    // Another domain's tables (docs/decisions/0009).
    await tx.execute(sql`
      insert into mail_outbox (id, kind, user_id, next_attempt_at, created_at)
      select gen_random_uuid(), 'webhook-off', id, ${now.toISOString()}, ${now.toISOString()}
      from users where role = 'admin' and deleted_at is null`);
    changed('mail');
    return settled;
  };
  const isPlain = outcome === 'sent' && webhook.attempts === 0;
  const row = await (isPlain ? record(database.db) : changes.write(write));
  if (row) count?.(outcome);
  return goesOn ? row : undefined;
}

type Verdict = { outcome: Outcome; set: Partial<WebhookRow> };

function judge(webhook: WebhookRow, answer: Answer, now: Date): Verdict {
  const { status } = answer;
  if (isTaken(answer)) return { outcome: 'sent', set: noFailure };
  const failingSince = webhook.failingSince ?? now;
  const isRefused = status >= 400 && status < 500 && ![408, 429].includes(status);
  const refusedSince = isRefused ? (webhook.refusedSince ?? now) : null;
  if (status === 410 || now.getTime() - failingSince.getTime() >= OFF_MS)
    return { outcome: 'off', set: { failingSince, state: 'off' } };
  if (refusedSince && now.getTime() - refusedSince.getTime() >= REFUSED_MS)
    return { outcome: 'set-aside', set: { ...noFailure, failingSince } };
  const nextAttemptAt = inMs(now, waitMs(webhook.attempts, isRefused, answer));
  const attempts = webhook.attempts + 1;
  return { outcome: 'failed', set: { attempts, failingSince, refusedSince, nextAttemptAt } };
}

const isTaken = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Jittered, so that receivers of one host do not all come at once. A refused event waits half an hour at most. */
function waitMs(attempts: number, isRefused: boolean, { retryAfterMs }: Answer): number {
  const minutes = MINUTES_UNTIL_NEXT[Math.min(attempts, isRefused ? 5 : MINUTES_UNTIL_NEXT.length - 1)] ?? 0;
  return Math.max(minutes * MINUTE_MS * (0.9 + Math.random() / 10), retryAfterMs);
}

/**
 * One attempt out of order, by an administrator; without a number a test.
 * @throws Problem `not-found`, `restored-copy`
 */
export async function sendDelivery(platform: Needs, id: string, number?: number): Promise<Delivery> {
  const { changes, clock, copiedAt, database, ids } = platform;
  if (copiedAt !== null) throw new Problem('restored-copy');
  const webhook = await lockWebhook(database.db, id);
  const event = number === undefined ? null : await findEvent(database.db, number);
  const tested = event ?? { id: ids.next(), number: 0, type: 'test', at: clock.now().toISOString() };
  const answer = await post(platform, webhook, tested);
  const now = clock.now();
  const state = isTaken(answer) ? 'sent' : 'failed';
  return changes.write(async (tx, changed) => {
    const { failingSince } = await lockWebhook(tx, id);
    if (state === 'sent' && failingSince) {
      await tx.update(webhooks).set({ nextAttemptAt: now }).where(eq(webhooks.id, id));
      changed('events');
    }
    const delivery = toDelivery(ids.next(), webhook, tested, state, answer, now);
    return recordDelivery(tx, { ...delivery, event: number ?? null });
  });
}

/** @throws Problem `not-found` */
async function findEvent(db: Executor, number: number): Promise<ShopEvent> {
  const [event] = await findEvents(db, number - 1, 1);
  if (event?.number !== number) throw new Problem('not-found');
  return event;
}

type Sent = Pick<ShopEvent, 'id' | 'number' | 'at'> & { type: string };

function post({ clock, config }: Needs, webhook: WebhookRow, event: Sent, signal?: AbortSignal) {
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

const toDelivery = (
  id: string,
  webhook: WebhookRow,
  { number, type }: Sent,
  state: (typeof webhookDeliveries.$inferSelect)['state'],
  { answer, ms }: Answer,
  at: Date,
) => ({ id, webhookId: webhook.id, event: number, type, state, answer, ms, at });

const inMs = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

export function measureWebhooks(metrics: Metrics): (outcome: Outcome) => void {
  const total = metrics.counter({
    name: 'shop_webhook_attempts_total',
    help: 'Attempts to send an event by outcome: sent, failed, set-aside (refused for an hour), off (switched off).',
    labelNames: ['outcome'],
  });
  for (const outcome of OUTCOMES) total.inc({ outcome }, 0);
  return (outcome) => total.inc({ outcome });
}

/** While the process is busy, its requests come first, and events come later. */
function createPause(signal: AbortSignal): () => Promise<void> {
  let before = performance.eventLoopUtilization();
  return async () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > BUSY) await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
  };
}

/** Sends at each event, and every ten seconds what is to be tried again. @returns stops and cuts attempts */
export function startWebhooks(platform: Platform): () => Promise<void> {
  const { changes, log, metrics } = platform;
  const closing = new AbortController();
  const count = metrics ? measureWebhooks(metrics) : undefined;
  const pause = createPause(closing.signal);
  const running = new Set<Promise<void>>();
  const wake = () => {
    const context = { requestId: randomUUID(), actor: SYSTEM };
    const send = () => sendWebhooks(platform, { signal: closing.signal, count, pause });
    const round = requestContext
      .run(context, send)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'webhooks could not be sent; they are tried again'),
      );
    running.add(round);
    void round.then(() => running.delete(round));
  };
  changes.subscribe((changed) => {
    if (changed !== 'all' && changed.has('events')) wake();
  });
  const timer = setInterval(wake, ROUND_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    closing.abort();
    await Promise.all(running);
  };
}
