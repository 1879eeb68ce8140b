import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './clock.ts';
import type { Control, WebhookMode } from './control.ts';
import type { Database } from './database.ts';
import { claimDeliveries, completeDelivery, findNextDeliveryTime, retryDelivery } from './delivery-queue.ts';
import { deleteObject, findObject, type StoredDelivery } from './object-store.ts';
import type { SandboxEvent } from './stripe-objects.ts';
import { signEvent } from './webhook-signature.ts';

const BATCH_SIZE = 4;
/** A process that died during an attempt wakes no other. */
const MAX_SLEEP_MS = 60_000;
const MIN_SLEEP_MS = 50;
const SLEEP_AFTER_ERROR_MS = 5_000;

/**
 * Must settle within 30 s, because the delivery may then restart. Retried unless the status is 200 to 299.
 */
export type DeliverEvent = (body: string, signature: string) => Promise<number>;

export interface DeliveryWorkerOptions {
  db: Database;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn'>;
  webhookSecret: string;
  /** Null while the control endpoint is closed. */
  control: Control | null;
  deliverEvent: DeliverEvent;
}

/** Like Stripe: signed, at least once, unordered, with retries. A restart loses none. */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  #isStarted = false;
  #isClosed = false;
  /** Since the last look for due deliveries. */
  #isWoken = false;
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Never waits or throws; does nothing before `start`. */
  wake(): void {
    if (this.#isClosed || !this.#isStarted) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // Woken after the last look.
      if (this.#isWoken) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { control, log } = this.#options;
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        const { webhooks = 'deliver', delayMs = 0 } = (await control?.read()) ?? {};
        if (webhooks === 'hold') return;
        await this.#deliverDue(webhooks, webhooks === 'delay' ? delayMs : 0);
      }
      if (!this.#isClosed) this.#sleep(await this.#findSleepMs());
    } catch (error) {
      if (this.#isClosed) return;
      log.warn({ err: error }, 'sandbox events could not be delivered');
      this.#sleep(SLEEP_AFTER_ERROR_MS);
    }
  }

  async #deliverDue(mode: WebhookMode, minAgeMs: number): Promise<void> {
    const { db, clock } = this.#options;
    while (!this.#isClosed) {
      const due = await claimDeliveries(db, { now: clock.now(), minAgeMs, limit: BATCH_SIZE });
      if (due.length === 0) return;
      await Promise.all(due.map((delivery) => this.#deliver(delivery, mode)));
    }
  }

  async #deliver(delivery: StoredDelivery, mode: WebhookMode): Promise<void> {
    const { db, clock, log } = this.#options;
    const event = await findObject(db, 'event', delivery.eventId);
    if (!event || mode === 'drop') return deleteObject(db, 'delivery', delivery.id);
    let isAccepted = await this.#attempt(event);
    if (mode === 'twice') isAccepted = await this.#attempt(event);
    if (!isAccepted && (await retryDelivery(db, delivery, clock.now()))) return;
    if (!isAccepted) log.warn({ event: event.id, type: event.type }, 'a sandbox event was given up');
    await completeDelivery(db, delivery, event, { isAccepted, now: clock.now() });
  }

  async #attempt(event: SandboxEvent): Promise<boolean> {
    const { deliverEvent, webhookSecret, clock } = this.#options;
    const body = JSON.stringify(event);
    try {
      const status = await deliverEvent(body, signEvent(body, webhookSecret, clock.now()));
      return status >= 200 && status < 300;
    } catch {
      return false;
    }
  }

  async #findSleepMs(): Promise<number> {
    const nextAt = await findNextDeliveryTime(this.#options.db);
    return nextAt ? nextAt.getTime() - this.#options.clock.now().getTime() : MAX_SLEEP_MS;
  }

  #sleep(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(ms, MIN_SLEEP_MS), MAX_SLEEP_MS));
    this.#timer.unref();
  }
}
