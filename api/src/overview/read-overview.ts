import { OVERVIEW_WEEKS, PAGE_LIMIT } from '@parts-forge/contract/bounds';
import { beginDay, readDay } from '@parts-forge/contract/days';
import { toAmount } from '@parts-forge/contract/money';
import type { Overview } from '@parts-forge/contract/overview';
import {
  countDisputedPending,
  findOldestPending,
  findReturned,
  sumUnpaidOrders,
} from '#src/orders/count-orders.ts';
import { readOrderTotals, readRevenue } from '#src/orders/order-sums.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findScarceProducts } from '#src/products/store.ts';
import { formatIsoWeek, listMondays } from './iso-week.ts';

/** The shop's key figures. Reads only unpaid and disputed orders individually (docs/decisions/0085). */
export async function readOverview({
  database: { db },
  clock,
  config: { timeZone },
}: Pick<Platform, 'database' | 'clock' | 'config'>): Promise<Overview> {
  const mondays = listMondays(readDay(clock.now(), timeZone), OVERVIEW_WEEKS);
  const [revenue, totals, unpaid, disputed, oldest, lowStock, returned] = await Promise.all([
    readRevenue(
      db,
      mondays.map((monday) => beginDay(monday, timeZone)),
    ),
    readOrderTotals(db),
    sumUnpaidOrders(db),
    countDisputedPending(db),
    findOldestPending(db),
    findScarceProducts(db, PAGE_LIMIT),
    findReturned(db, PAGE_LIMIT),
  ]);
  return {
    revenue: mondays.map((monday, index) => ({
      week: formatIsoWeek(monday),
      amount: toAmount(revenue[index] ?? 0),
    })),
    orders: {
      due: unpaid.count,
      pending: totals.pending,
      paid: totals.paid,
      refunded: totals.refunded,
    },
    amounts: {
      due: toAmount(unpaid.cents),
      pending: toAmount(totals.pendingCents),
      paid: toAmount(totals.paidCents),
      refunded: toAmount(totals.refundedCents),
    },
    waiting: {
      count: Math.max(0, totals.pending - disputed),
      ...(oldest && { oldest: oldest.toISOString() }),
    },
    lowStock,
    unpaidHeld: { pieces: unpaid.pieces, amount: toAmount(unpaid.cents) },
    returned: returned.map(({ id, number, returnedCents }) => ({
      _id: id,
      number,
      amount: toAmount(returnedCents),
    })),
  };
}
