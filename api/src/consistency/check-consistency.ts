import { readDay } from '@parts-forge/contract/text/days';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { refreshMoney } from '#src/payments/refunds/refresh-money.ts';
import { findPaymentDifferences } from './find-payment-differences.ts';
import { type Difference, findDifferences } from './prove-month.ts';
import { CHECKS, type Check, readCheckResults, writeCheckResults } from './store.ts';

const MAX_LOGGED = 20;
const MAX_DIFFERENCES = 1000;

/** Empty when all agree. */
type Find = (services: PaymentServices) => Promise<readonly object[]>;

const checks: Record<Check, Find> = {
  stock: ({ database }) => findStockDifferences(database.db, MAX_DIFFERENCES),
  payments: ({ database }) => findPaymentDifferences(database.db, MAX_DIFFERENCES),
  provider: compareWithProvider,
};

/** How long an ended month is compared on. */
const LATE_MS = 2 * 24 * 3_600_000;
const MAX_REFRESHED = 50;

/**
 * This month and, for two days, the last: orders, papers, payments and the provider. An order that is only
 * outdated is refreshed and is no difference.
 */
async function compareWithProvider(services: PaymentServices): Promise<Difference[]> {
  const now = services.clock.now().getTime();
  const months = [now - LATE_MS, now].map((at) =>
    readDay(new Date(at), services.config.timeZone).slice(0, 7),
  );
  const found: Difference[] = [];
  for (const month of new Set(months)) {
    const outdated = await findInMonth(services, month);
    for (const { payment = '' } of outdated.slice(0, MAX_REFRESHED)) {
      const known = await services.payments.findPayment(payment);
      if (known) await refreshMoney(services, known, { asksForDisputes: true });
    }
    if (outdated.length > 0) found.push(...(await findInMonth(services, month)));
  }
  return found;
}

const findInMonth = async (services: PaymentServices, month: string): Promise<Difference[]> =>
  (await findDifferences(services, month)).differences.filter(
    ({ source, month: there }) => source !== 'stock' && there === undefined,
  );

/**
 * Runs all checks, logs differences and stores the counts for the metrics; changes nothing else. A failed
 * check keeps its last result, whose age the metrics show.
 * @returns the differences of each completed check
 */
export async function checkConsistency(services: PaymentServices): Promise<Partial<Record<Check, number>>> {
  const { database, clock, log } = services;
  const counts: Partial<Record<Check, number>> = {};
  const results = await readCheckResults(database.db);
  for (const check of CHECKS) {
    try {
      const differences = await checks[check](services);
      counts[check] = differences.length;
      results[check] = { checkedAt: clock.now(), differences: differences.length };
      if (differences.length > 0) {
        const examples = differences.slice(0, MAX_LOGGED);
        log.error(
          { check, differences: differences.length, examples },
          'the consistency check found differences',
        );
      }
    } catch (error) {
      log.error({ err: error, check }, 'the consistency check failed');
    }
  }
  await writeCheckResults(database.db, results);
  return counts;
}
