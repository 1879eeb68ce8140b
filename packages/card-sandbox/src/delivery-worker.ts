import { and, eq, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import type { Control } from './control.ts';
import type { Database } from './database.ts';
import { deleteObject, findObject, putObject, type SavedDelivery } from './object-store.ts';
import { sandboxObjects } from './schema.ts';
import { signEvent } from './webhook-signature.ts';

/** Waits before the second, third, … try, in seconds; after the last the event is given up. */
const RETRY_AFTER_S = [1, 5, 30, 120, 600, 3600, 3600 * 6, 3600 * 24, 3600 * 24];
/** A try that was begun and not ended (the process died) may be begun again after this, in seconds. */
const LEASE_S = 30;
const AT_ONCE = 4;
/** How long nothing may be asked of the database when nothing is due here: another process may have died. */
const MAX_SLEEP_MS = 60_000;

export interface Deliveries {
  /** Looks for due deliveries now. Never waits and never throws. */
  wake(): void;
  /** Begins delivering; `post` gives the answer's status. */
  start(post: (body: string, signature: string) => Promise<number>): void;
  /** Resolves when nothing is due or under way. */
  idle(): Promise<void>;
  /** Ends delivering; what is under way finishes first. */
  close(): Promise<void>;
}

/**
 * Sends the sandbox's events as Stripe does: signed, at least once, in no promised order, again and again until
 * the shop takes them. Deliveries wait in the database, so a restart loses none.
 */
export function createDeliveries({
  db,
  clock,
  webhookSecret,
  control,
  log,
}: {
  db: Database;
  clock: Clock;
  webhookSecret: string;
  control: Control | null;
  log: Pick<FastifyBaseLogger, 'warn'>;
}): Deliveries {
  let post: ((body: string, signature: string) => Promise<number>) | null = null;
  let running: Promise<void> | null = null;
  let again = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (closed || !post) return;
    again = true;
    running ??= run().finally(() => {
      running = null;
      // Woken after the last look and before the end: look once more.
      if (again) wake();
    });
  }

  async function run(): Promise<void> {
    try {
      while (again && !closed) {
        again = false;
        const handling = await control?.webhooks();
        if (handling?.webhooks === 'hold') return;
        for (;;) {
          const due = closed ? [] : await claim(handling?.webhooks === 'delay' ? handling.delayMs : 0);
          if (due.length === 0) break;
          await Promise.all(due.map((delivery) => deliver(delivery, handling?.webhooks)));
        }
      }
      if (!closed) sleep(await nextDueInMs());
    } catch (error) {
      if (closed) return;
      log.warn({ err: error }, 'sandbox events could not be delivered');
      sleep(5_000);
    }
  }

  function sleep(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(ms, 50), MAX_SLEEP_MS));
    timer.unref();
  }

  /** Takes due deliveries for this process; others leave them alone until the lease has run out. */
  async function claim(delayMs: number): Promise<SavedDelivery[]> {
    const now = clock.now();
    const lease = new Date(now.getTime() + LEASE_S * 1000).toISOString();
    const { rows } = await db.execute<{ data: SavedDelivery }>(sql`
      update sandbox_objects set data = jsonb_set(data, '{nextAt}', to_jsonb(${lease}::text))
      where id in (
        select id from sandbox_objects
        where kind = 'delivery' and (data->>'nextAt')::timestamptz <= ${now.toISOString()}::timestamptz
          and created_at <= ${new Date(now.getTime() - delayMs).toISOString()}::timestamptz
        order by created_at, id limit ${AT_ONCE} for update skip locked)
      returning data`);
    return rows.map(({ data }) => data);
  }

  async function deliver(delivery: SavedDelivery, handling: string | undefined): Promise<void> {
    const event = await findObject(db, 'event', delivery.eventId);
    if (!event || !post || handling === 'drop') return deleteObject(db, 'delivery', delivery.id);
    const body = JSON.stringify(event);
    let status = await post(body, signEvent(body, webhookSecret, clock.now())).catch(() => 0);
    if (handling === 'twice')
      status = await post(body, signEvent(body, webhookSecret, clock.now())).catch(() => 0);
    const taken = status >= 200 && status < 300;
    const waitS = RETRY_AFTER_S[delivery.tries];
    if (taken || waitS === undefined) {
      await putObject(db, 'event', { ...event, pending_webhooks: taken ? 0 : 1 }, clock.now());
      if (!taken) log.warn({ event: event.id, type: event.type }, 'a sandbox event was given up');
      return deleteObject(db, 'delivery', delivery.id);
    }
    const nextAt = new Date(clock.now().getTime() + waitS * 1000).toISOString();
    await putObject(db, 'delivery', { ...delivery, tries: delivery.tries + 1, nextAt }, clock.now());
  }

  async function nextDueInMs(): Promise<number> {
    const [row] = await db
      .select({ nextAt: sql<string | null>`min(${sandboxObjects.data}->>'nextAt')` })
      .from(sandboxObjects)
      .where(and(eq(sandboxObjects.kind, 'delivery')));
    if (!row?.nextAt) return MAX_SLEEP_MS;
    return new Date(row.nextAt).getTime() - clock.now().getTime();
  }

  return {
    wake,
    start(given) {
      post = given;
      wake();
    },
    async idle() {
      while (running) await running;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
