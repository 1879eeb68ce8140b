import type { Config } from '#src/platform/core/config.ts';
import type { Database } from '#src/platform/database/connection.ts';

/**
 * What was seen of a service, in a sentence for whoever runs the shop. It has no secret in it. `note` is something to
 * know, or what cannot be seen from here: it is no failure.
 */
export interface Finding {
  verdict: 'works' | 'note' | 'fails';
  sentence: string;
}

export const works = (sentence: string): Finding => ({ verdict: 'works', sentence });
export const note = (sentence: string): Finding => ({ verdict: 'note', sentence });
export const fails = (sentence: string): Finding => ({ verdict: 'fails', sentence });

/** What the checks look at. */
export interface Visit {
  config: Config;
  /**
   * The database as it is, not brought up to date; null for an embedded one that the first start will make.
   * @throws StartError when it cannot be had, each time it is asked for
   */
  openDatabase(): Promise<Database | null>;
}

/** A check of one service. It changes nothing that anybody could miss, and waits for nothing without a bound. */
export interface Check {
  /** What is checked, as the report's heading. */
  title: string;
  /**
   * @returns nothing for a service that is not configured
   * @throws what it did not expect, which the report then says
   */
  run(visit: Visit): Promise<readonly Finding[]>;
}

/** How long one question to another server may take. */
export const QUESTION_MS = 5_000;

/** Why a question to a server got no answer: of `fetch` the cause and of Stripe's SDK the detail, as their own messages say nothing. */
export function readReason(error: unknown): string {
  if (error instanceof AggregateError) return readReason(error.errors.at(-1));
  if (error instanceof Error && error.cause !== undefined) return readReason(error.cause);
  if (error instanceof Error && 'detail' in error && error.detail instanceof Error)
    return readReason(error.detail);
  return error instanceof Error ? error.message : String(error);
}
