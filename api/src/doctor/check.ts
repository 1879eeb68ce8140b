import type { Config } from '#src/platform/core/config.ts';
import type { Database } from '#src/platform/database/connection.ts';

/**
 * A finding about a service, as a sentence for the administrator without secrets. `note` is information or an
 * open question, not a failure.
 */
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
   * The database without migrations; null for an embedded one before its first start.
   * @throws StartError at every call when it is unavailable
   */
  openDatabase(): Promise<Database | null>;
}

/** A check of one service. It changes no real data and limits every wait. */
export interface Check {
  /** Heading in the report. */
  title: string;
  /**
   * @returns nothing for a service that is not configured
   * @throws unexpected errors, which the report then shows
   */
  run(visit: Visit): Promise<readonly Finding[]>;
}

/** Timeout of one request to another server. */
export const QUESTION_MS = 5_000;

/**
 * The reason of a failed request. It is the cause of `fetch`'s error and the detail of the Stripe SDK's,
 * whose own messages say nothing.
 */
export function readReason(error: unknown): string {
  if (error instanceof AggregateError) return readReason(error.errors.at(-1));
  if (error instanceof Error && error.cause !== undefined) return readReason(error.cause);
  if (error instanceof Error && 'detail' in error && error.detail instanceof Error)
    return readReason(error.detail);
  return error instanceof Error ? error.message : String(error);
}
