import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';
import { closeUnpaidOrder } from './close-unpaid-order.ts';
import { holdUnpaidOrders } from './move-order.ts';
import type { OrderPayments } from './order-payments.ts';
import { findExpiredOrders, type OrderRow } from './store.ts';

const MAX_ORDERS = 500;

export interface Expired {
  expired: number;
  paid: number;
  /** The next run retries them. */
  failed: number;
}

/**
 * Skips orders with a payment in progress. Starts the expiry of orders from before an upgrade. Concurrent
 * runs are safe.
 */
export async function expireOrders(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids' | 'log'>,
  payments: Pick<OrderPayments, 'hasOpen' | 'closeOpen'>,
): Promise<Expired> {
  const { config, database, clock, log } = platform;
  const done: Expired = { expired: 0, paid: 0, failed: 0 };
  const now = clock.now();
  await holdUnpaidOrders(
    database.db,
    config.holdMs === null ? null : new Date(now.getTime() + config.holdMs),
  );
  for (const id of await findExpiredOrders(database.db, now, MAX_ORDERS)) {
    try {
      await closeUnpaidOrder(platform, payments, id, { by: null, move: 'expire', check: requireUnpaid });
      done.expired += 1;
      log.info({ order: id }, 'an order was not paid in time and has expired');
    } catch (error) {
      if (error instanceof Problem && error.status === 409) {
        done.paid += 1;
        continue;
      }
      done.failed += 1;
      log.error({ err: error, order: id }, 'the order could not be closed');
    }
  }
  return done;
}

/** @throws Problem `not-due` */
function requireUnpaid(order: OrderRow | null): OrderRow {
  if (!order || order.closedAt || !canMove(order.status, 'expire')) {
    throw new Problem(orderMoves.expire.refusal);
  }
  return order;
}
