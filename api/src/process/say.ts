import pg from 'pg';
import { StartError } from '#src/platform/core/start-error.ts';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';

/** The log has standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** A sentence if the operator can mend it; otherwise the stack. */
export function explainError(error: unknown): string {
  if (error instanceof SuppressedError)
    return `${explainError(error.error)}\n${explainError(error.suppressed)}`;
  if (error instanceof StartError) return error.message;
  if (isDatabaseUnavailable(error))
    return `The database went away while the shop was starting: ${String(error)}`;
  if (!(error instanceof Error)) return String(error);
  const { cause, stack = error.message } = error;
  const refusal = cause ?? error;
  if (refusal instanceof pg.DatabaseError && refusal.code === INSUFFICIENT_PRIVILEGE)
    return `PostgreSQL refuses what the shop's role may not do: ${refusal.message}.`;
  return cause instanceof Error ? `${stack}\nCause: ${cause.message}` : stack;
}
