import type { Config } from '#src/platform/core/config.ts';
import type { OrderedPart } from '#src/platform/database/change-feed.ts';
import { coalesceCalls } from '#src/platform/database/coalesce-calls.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { wasRolledBack } from '#src/platform/database/unavailable.ts';
import { type OrderPlacement, takeStockAndWriteOrders } from './take-stock.ts';

/** docs/decisions/0080 has the measurement. */
const MAX_TOGETHER = 32;
const MAX_UNDER_WAY = 8;
/** A smaller group waits for more orders, but only beside a running statement. */
const MIN_BESIDE = 8;
const MAX_LINGER_MS = 2;
/** Per locked product. Above `deadlock_timeout` (1 s), so that PostgreSQL reports deadlocks. */
const LOCK_TIMEOUT_MS = 1500;

/** The change to publish; null when nothing was placed. */
export interface OrderQueue {
  /** @throws Problem `overloaded` after the connection timeout; nothing is placed */
  place(order: OrderPlacement): Promise<OrderedPart | null>;
  placeAlone(order: OrderPlacement): Promise<OrderedPart | null>;
}

export function openOrderQueue(
  database: Database,
  config: Pick<Config, 'maxUnpaidOrders' | 'connectionTimeoutMs' | 'tax'>,
): OrderQueue {
  const run = (orders: readonly OrderPlacement[], lockTimeoutMs: number | null) =>
    takeStockAndWriteOrders(database, config, 'each', orders, lockTimeoutMs);
  const runTogether = coalesceCalls((orders: readonly OrderPlacement[]) => run(orders, LOCK_TIMEOUT_MS), {
    // Statements on one product wait for its row lock, each for a commit on disk.
    readKey: ({ productId }) => productId,
    maxItems: MAX_TOGETHER,
    maxUnderWay: MAX_UNDER_WAY,
    minItems: MIN_BESIDE,
    maxLingerMs: MAX_LINGER_MS,
    maxWaitMs: config.connectionTimeoutMs,
  });
  const placeAlone = async (order: OrderPlacement) => (await run([order], null)).get(order.id) ?? null;
  return {
    placeAlone,
    async place(order) {
      try {
        return (await runTogether(order)).get(order.id) ?? null;
      } catch (error) {
        // One order failed the whole group. Retry only after a known rollback.
        if (!wasRolledBack(error)) throw error;
        return placeAlone(order);
      }
    },
  };
}
