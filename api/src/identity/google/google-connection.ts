import type { FastifyBaseLogger } from 'fastify';
import type { BetterAuth } from '#src/identity/embedded/better-auth.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { GoogleSettings } from './google.ts';

/** Doubles after each failure. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** The library itself would wait for minutes. */
const TRY_MS = 10_000;

/**
 * The library reads Google's addresses and keys only when it opens.
 * @param readOrigin read once the shop listens, as the system may choose the port
 */
export function connectGoogle(
  google: Omit<GoogleSettings, 'origin'>,
  readOrigin: () => string,
  load: () => Promise<{ openWithGoogle(google: GoogleSettings): BetterAuth }>,
  changes: Pick<ChangeFeed, 'publish'>,
  log: FastifyBaseLogger,
) {
  let service: BetterAuth | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function connect(): Promise<boolean> {
    const opened = (await load()).openWithGoogle({ ...google, origin: readOrigin() });
    if (!(await within(TRY_MS, opened.hasGoogle()))) return false;
    service = opened;
    // Tells the pages that they can offer Google.
    await changes.publish('config');
    return true;
  }

  async function start(retryMs: number): Promise<void> {
    const reason: unknown = await connect().then(
      (isConnected) => !isConnected && 'its discovery document cannot be read or used',
      (error: unknown) => error,
    );
    if (reason === false) return log.info('People can sign in with Google.');
    if (isStopped) return;
    log.warn({ err: reason, retryMs }, 'Google cannot be reached; all else goes on');
    timer = setTimeout(() => start(Math.min(retryMs * 2, LONGEST_RETRY_MS)), retryMs);
    timer.unref();
  }

  return {
    /** Null until Google is reached; the service without Google does all else. */
    get service() {
      return service;
    },
    start: () => start(FIRST_RETRY_MS),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function within(ms: number, work: Promise<boolean>): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
