import { OVERVIEW_WEEKS, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { toAmount } from '@parts-forge/contract/money/money';
import type { Overview } from '@parts-forge/contract/orders/overview';
import { addDays, readDay } from '@parts-forge/contract/text/days';
import { type MovedCents, sumDays, sumDaysBeforePapers } from '#src/invoices/movements.ts';
import {
  countDisputedPending,
  findOldestPending,
  findReturned,
  sumPaidOrders,
  sumUnpaidOrders,
} from '#src/orders/count-orders.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findScarceProducts } from '#src/products/store.ts';
import { formatIsoWeek, listMondays } from './iso-week.ts';

/** The shop's key figures. Weeks are sums of papers, as months, and of orders from before there were any. */
export async function readOverview({
  database: { db },
  clock,
  config: { timeZone },
}: Pick<Platform, 'database' | 'clock' | 'config'>): Promise<Overview> {
  const today = readDay(clock.now(), timeZone);
  const mondays = listMondays(today, OVERVIEW_WEEKS);
  const weeks = { from: mondays[0] ?? today, until: addDays(today, 1) };
  const [papers, earlier, totals, unpaid, disputed, oldest, lowStock, returned] = await Promise.all([
    sumDays(db, weeks),
    sumDaysBeforePapers(db, weeks, timeZone),
    sumPaidOrders(db),
    sumUnpaidOrders(db),
    countDisputedPending(db),
    findOldestPending(db),
    findScarceProducts(db, PAGE_LIMIT),
    findReturned(db, PAGE_LIMIT),
  ]);
  const days = [...papers, ...earlier];
  return {
    revenue: mondays.map((monday) => ({
      week: formatIsoWeek(monday),
      amount: toAmount(sumNet(days.filter(({ day }) => day >= monday && day < addDays(monday, 7)))),
    })),
    orders: {
      due: unpaid.count,
      pending: totals.pending.count,
      paid: totals.paid.count,
      refunded: totals.refunded.count,
    },
    amounts: {
      due: toAmount(unpaid.cents),
      pending: toAmount(totals.pending.cents),
      paid: toAmount(totals.paid.cents),
      refunded: toAmount(totals.refunded.cents),
    },
    waiting: {
      count: Math.max(0, totals.pending.count - disputed),
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

const sumNet = (days: readonly MovedCents[]): number =>
  days.reduce((sum, day) => sum + day.receivedCents - day.refundedCents - day.lostCents, 0);
