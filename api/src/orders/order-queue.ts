import type { Config } from '#src/platform/core/config.ts';
import type { OrderedPart } from '#src/platform/database/change-feed.ts';
import { coalesceCalls } from '#src/platform/database/coalesce-calls.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { wasRolledBack } from '#src/platform/database/unavailable.ts';
import { type OrderPlacement, takeStockAndWriteOrders } from './take-stock.ts';

/** Orders in one statement, and statements under way; measured in docs/decisions/0080. */
const MAX_TOGETHER = 32;
const MAX_UNDER_WAY = 8;
/** Fewer orders wait for others, but only beside a statement that is under way, and no longer than this. */
const MIN_BESIDE = 8;
const MAX_LINGER_MS = 2;
/**
 * For each lock: whoever orders something whose row somebody else holds keeps the others up for no longer. More than the
 * second after which PostgreSQL looks for a deadlock, so that there is no mistaking one.
 */
const LOCK_TIMEOUT_MS = 1500;

/** Where orders wait for the database. Both ways return what is to be published, or null when nothing was placed. */
export interface OrderQueue {
  /**
   * Places the order at once, or together with those that wait while others are under way, as soon as there is room.
   * @throws Problem `overloaded` when it has waited for as long as for a connection; it is not placed then
   */
  place(order: OrderPlacement): Promise<OrderedPart | null>;
  /** Places the order by itself, and waits for nobody. */
  placeAlone(order: OrderPlacement): Promise<OrderedPart | null>;
}

export function openOrderQueue(
  database: Database,
  { maxUnpaidOrders, connectionTimeoutMs }: Pick<Config, 'maxUnpaidOrders' | 'connectionTimeoutMs'>,
): OrderQueue {
  const run = (orders: readonly OrderPlacement[], lockTimeoutMs: number | null) =>
    takeStockAndWriteOrders(database, orders, { maxUnpaid: maxUnpaidOrders, lockTimeoutMs });
  const runTogether = coalesceCalls((orders: readonly OrderPlacement[]) => run(orders, LOCK_TIMEOUT_MS), {
    // Statements on one product would wait for its row one after the other, each until the one before is on the disk.
    readKey: ({ productId }) => productId,
    maxItems: MAX_TOGETHER,
    maxUnderWay: MAX_UNDER_WAY,
    minItems: MIN_BESIDE,
    maxLingerMs: MAX_LINGER_MS,
    maxWaitMs: connectionTimeoutMs,
  });
  const placeAlone = async (order: OrderPlacement) => (await run([order], null)).get(order.id) ?? null;
  return {
    placeAlone,
    async place(order) {
      try {
        return (await runTogether(order)).get(order.id) ?? null;
      } catch (error) {
        // One of them was in the way of all. Where it is not known whether they were written nothing is repeated.
        if (!wasRolledBack(error)) throw error;
        return placeAlone(order);
      }
    },
  };
}
