import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { requestContext } from '#src/platform/core/request-context.ts';

export interface Work<Item, Result> {
  /** At most `limit` due items, which nobody else takes meanwhile. */
  claim(limit: number): Promise<readonly Item[]>;
  /** @param signal aborts after `graceMs` of closing */
  handle(item: Item, signal: AbortSignal): Promise<Result>;
  /** Items of this process at a time. */
  atOnce: number;
  /** For running items at closing; default: none. */
  graceMs?: number;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Of the log line of each error. */
  message: string;
}

export type Worker<Result> = ReturnType<typeof createWorker<unknown, Result>>;

/**
 * Claims as many items as it has places, and again when an item ends. Requests during a claim share one more.
 * After an error it claims nothing until the next request.
 */
export function createWorker<Item, Result>({
  claim,
  handle,
  atOnce,
  graceMs = 0,
  log,
  message,
}: Work<Item, Result>) {
  const cutting = new AbortController();
  let isClosed = false;
  let mayClaim = true;
  let isAsked = false;
  let working: Promise<Result[]> | null = null;
  let notice = () => {};

  function ask(): void {
    isAsked = true;
    notice();
  }

  async function work(): Promise<Result[]> {
    const results: Result[] = [];
    const errors: unknown[] = [];
    let running = 0;
    const fail = (error: unknown) => {
      mayClaim = false;
      errors.push(error);
      log.warn({ err: error }, message);
    };
    const begin = async (item: Item) => {
      running += 1;
      try {
        results.push(await requestContext.runAsSystem(() => handle(item, cutting.signal)));
      } catch (error) {
        fail(error);
      }
      running -= 1;
      ask();
    };
    while (isAsked || running > 0) {
      if (!isAsked)
        await new Promise<void>((resolve) => {
          notice = resolve;
        });
      isAsked = false;
      const free = mayClaim ? atOnce - running : 0;
      try {
        if (free > 0) for (const item of await Promise.try(claim, free)) void begin(item);
      } catch (error) {
        fail(error);
      }
    }
    // In the same turn as the last look at `isAsked`, or a request between the two would be lost.
    working = null;
    if (errors.length > 0) throw errors[0];
    return results;
  }

  /**
   * @returns what is handled from the first request on, once nothing is due
   * @throws the first error, after the other items
   */
  async function run(): Promise<Result[]> {
    if (isClosed) return [];
    mayClaim = true;
    ask();
    working ??= requestContext.runAsSystem(work);
    return working;
  }

  return {
    run,
    wake: () => void run().catch(() => {}),
    /** Claims nothing more, and waits for running items. */
    async close(): Promise<void> {
      isClosed = true;
      mayClaim = false;
      const ended = working?.catch(() => {});
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })]);
      cutting.abort();
      await ended;
    },
  };
}
