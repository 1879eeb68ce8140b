import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';

const RETRY_MS = 500;

/**
 * @param work must be repeatable
 * @throws the signal's reason at shutdown, or the error of `work`
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  { termination, say }: { termination: AbortSignal; say(text: string): void },
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      termination.throwIfAborted();
      if (!isDatabaseUnavailable(error)) throw error;
      say('The database went away while the shop was opening; waiting for it …');
      await wait(RETRY_MS);
    }
  }
}
