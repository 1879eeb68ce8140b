import * as z from 'zod/mini';
import type { Executor } from '#src/platform/database/connection.ts';
import { findMetadata, setMetadata } from '#src/platform/database/metadata.ts';

/** What is compared: the stock with its ledger, orders with the payments they are paid by, payments with the provider. */
export const CHECKS = ['stock', 'payments', 'provider'] as const;
export type Check = (typeof CHECKS)[number];

const NAME = 'books';

const moment = z.pipe(
  z.iso.datetime(),
  z.transform((text: string) => new Date(text)),
);
/** How a check ended when it was last done to its end. */
const result = z.object({ checkedAt: moment, differences: z.int() });
// By name, as a newer process on the same database may know more checks.
const resultsSchema = z.record(z.string(), result);
export type CheckResults = z.output<typeof resultsSchema>;

/** The last result of each check, by whichever process did it; a check that was never done is not there. */
export async function readCheckResults(db: Executor): Promise<CheckResults> {
  const text = await findMetadata(db, NAME);
  return text === null ? {} : resultsSchema.parse(JSON.parse(text));
}

/** Only the process whose turn it is writes them: see `runJobs`. */
export const writeCheckResults = (db: Executor, results: CheckResults): Promise<void> =>
  setMetadata(db, NAME, JSON.stringify(results));
