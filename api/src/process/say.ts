import { StartError } from '#src/platform/core/start-error.ts';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';

/** For the person who starts the shop, apart from the log on standard output. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** What ended the shop: a sentence where a person can mend it, else the stack. */
export function explainError(error: unknown): string {
  if (error instanceof SuppressedError)
    return `${explainError(error.error)}\n${explainError(error.suppressed)}`;
  if (error instanceof StartError) return error.message;
  if (isDatabaseUnavailable(error))
    return `The database went away while the shop was starting: ${String(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
