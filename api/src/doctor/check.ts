import type { Config } from '#src/platform/core/config.ts';
import type { Database } from '#src/platform/database/connection.ts';

/** For the administrator, without secrets. `note` is no failure. */
export interface Finding {
  verdict: 'works' | 'note' | 'fails';
  sentence: string;
}

export const works = (sentence: string): Finding => ({ verdict: 'works', sentence });
export const note = (sentence: string): Finding => ({ verdict: 'note', sentence });
export const fails = (sentence: string): Finding => ({ verdict: 'fails', sentence });

export interface Visit {
  config: Config;
  /**
   * Not migrated; null for an embedded database before its first start.
   * @throws StartError at every call when it is unavailable
   */
  openDatabase(): Promise<Database | null>;
}

/** Changes no real data and limits every wait. */
export interface Check {
  /** Heading in the report. */
  title: string;
  /**
   * @returns nothing for a service that is not configured
   * @throws unexpected errors, shown in the report
   */
  run(visit: Visit): Promise<readonly Finding[]>;
}

/** For one request to another server. */
export const QUESTION_MS = 5_000;

/** Unwraps errors of `fetch` and the Stripe SDK, whose own messages say nothing. */
export function readReason(error: unknown): string {
  if (error instanceof AggregateError) return readReason(error.errors.at(-1));
  if (error instanceof Error && error.cause !== undefined) return readReason(error.cause);
  if (error instanceof Error && 'detail' in error && error.detail instanceof Error)
    return readReason(error.detail);
  return error instanceof Error ? error.message : String(error);
}
