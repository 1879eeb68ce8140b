import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#src/platform/database/connection.ts';
import { createLocalCounts, type LocalCount, type LocalCounts } from './local-counts.ts';
import { addToRates } from './rate-counts.ts';

/** Up to this limit each request is counted in the database before it goes on. */
const EXACT_LIMIT = 120;
/** Above, the others are told of whoever has made this share of the requests that they may make, and how often. */
const WORTH_TELLING = 1 / 24;
const TELL_MS = 500;

/**
 * Counts requests for all processes together (docs/decisions/0061). Small limits, which guard calls that ask the
 * database anyway, are exact. Large ones, which are there for floods, must cost nothing: each process counts by itself
 * and tells the others of whoever asks much, so that several processes let a little more through than one.
 */
export interface SharedRates {
  /** How the requests of one limit are counted, under a name that all processes know it by. */
  createCount(name: string, requests: number): Count;
  close(): Promise<void>;
}

export type Counted = { current: number; ttl: number };
/** Counts a request; later where the database is asked. */
export type Count = (who: string, windowMs: number) => Counted | Promise<Counted>;

export function createSharedRates(
  database: Pick<Database, 'runPrepared'>,
  log: FastifyBaseLogger,
): SharedRates {
  const teller = createTeller(database, log);

  return {
    createCount(name, requests) {
      if (requests <= EXACT_LIMIT) return createExactCount(database, name);
      return teller.count(createLocalCounts(name), requests * WORTH_TELLING);
    },
    close: teller.close,
  };
}

/** Where no other process serves the shop. */
export function createLocalCount(name: string): Count {
  const counts = createLocalCounts(name);
  return (who, windowMs) => show(counts.add(who, windowMs));
}

const show = ({ count, endsAtMs }: LocalCount): Counted => ({
  current: count,
  ttl: Math.max(0, endsAtMs - performance.now()),
});

/** Counts each request in the database. What it cannot count at this moment is counted by this process alone. */
export function createExactCount(database: Pick<Database, 'runPrepared'>, name: string): Count {
  const counts = createLocalCounts(name);
  return async (who, windowMs) => {
    const here = counts.add(who, windowMs);
    try {
      const [all] = (await addToRates(database, [{ key: here.key, count: 1, windowMs }])).values();
      return all ? { current: all.count, ttl: all.leftMs } : show(here);
    } catch {
      return show(here);
    }
  };
}

interface Teller {
  count(counts: LocalCounts, worthTelling: number): Count;
  close(): Promise<void>;
}

function createTeller(database: Pick<Database, 'runPrepared'>, log: FastifyBaseLogger): Teller {
  const limits: { counts: LocalCounts; worthTelling: number }[] = [];
  let telling: Promise<void> | null = null;
  const timer = setInterval(() => {
    telling ??= tell().finally(() => {
      telling = null;
    });
  }, TELL_MS);
  timer.unref();

  async function tell(): Promise<void> {
    const given = limits
      .flatMap(({ counts, worthTelling }) => counts.listUntold(worthTelling))
      .map((local) => ({ local, key: local.key, count: local.untold, windowMs: local.windowMs }));
    if (given.length === 0) return;
    try {
      const all = await addToRates(database, given);
      for (const { local, key, count } of given) {
        const together = all.get(key.toString('hex'));
        if (!together) continue;
        local.untold -= count;
        // What came while the others were told is not in their count yet.
        local.count = together.count + local.untold;
        local.endsAtMs = performance.now() + together.leftMs;
      }
    } catch (error) {
      log.warn({ err: error }, 'other processes were not told how often their visitors ask here');
    }
  }

  return {
    count(counts, worthTelling) {
      limits.push({ counts, worthTelling });
      return (who, windowMs) => show(counts.add(who, windowMs));
    },
    async close() {
      clearInterval(timer);
      await telling;
    },
  };
}
