import * as z from 'zod/mini';
import type { Executor } from '#src/platform/database/connection.ts';
import { findMetadata, setMetadata } from '#src/platform/database/metadata.ts';

/** Stock against ledger, orders against payments, payments against the provider. */
export const CHECKS = ['stock', 'payments', 'provider'] as const;
export type Check = (typeof CHECKS)[number];

const NAME = 'consistency';

const moment = z.pipe(
  z.iso.datetime(),
  z.transform((text: string) => new Date(text)),
);
/** Of a check's last complete run. */
const result = z.object({ checkedAt: moment, differences: z.int() });
// Any name, as a newer process may have more checks.
const resultsSchema = z.record(z.string(), result);
export type CheckResults = z.output<typeof resultsSchema>;

/** From any process; a check that never completed is absent. */
export async function readCheckResults(db: Executor): Promise<CheckResults> {
  const text = await findMetadata(db, NAME);
  return text === null ? {} : resultsSchema.parse(JSON.parse(text));
}

/** Only the process that runs the jobs calls this: see `runJobs`. */
export const writeCheckResults = (db: Executor, results: CheckResults): Promise<void> =>
  setMetadata(db, NAME, JSON.stringify(results));
