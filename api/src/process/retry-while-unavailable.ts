import { setTimeout as wait } from 'node:timers/promises';
import { isDatabaseUnavailable } from '#src/platform/database/unavailable.ts';

const RETRY_MS = 500;

/**
 * The database may go away while the shop opens, as at any other time.
 * @param work may be repeated
 * @throws the signal's reason when the shop is told to end meanwhile, else whatever `work` throws
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
