import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { compareWithProvider } from '#src/payments/consistency/compare-with-provider.ts';
import { findPaymentDifferences } from '#src/payments/consistency/find-payment-differences.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
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
