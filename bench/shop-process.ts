import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { isAnswered, launchShop, waitFor } from '../api/test/programs.ts';
import { closing } from './closing.ts';
import { makeDataFolder } from './data-folder.ts';

/** First administrator of every measured shop. */
export const administrator = { email: 'admin@bench.example', password: 'measured, never used' };

export type ShopProcess = Awaited<ReturnType<typeof startShop>>;

/**
 * Runs `node scripts/start.mjs` without waiting.
 * @param settings the only ones: this process's own do not apply
 */
export async function startShop(settings: Record<string, string>) {
  const port = await freePort();
  /** By `performance.now()`. */
  const startedAt = performance.now();
  const program = launchShop({
    RATE_LIMITS: 'off',
    SEED: 'catalogue',
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    PORT: String(port),
    ...settings,
  });
  return {
    port,
    /** Of the launcher, the parent of the others. */
    pid: program.pid,
    startedAt,
    said: program.said,
    /** @returns the time of a path's first 200. @throws Error after a minute */
    async firstSuccess(path: string): Promise<number> {
      const isServed = () => isAnswered(`http://127.0.0.1:${port}${path}`);
      await waitFor(path, isServed, { program, patienceMs: 60_000 });
      return performance.now();
    },
    stop: closing(async () => {
      await program.end();
    }),
  };
}

/** Runs `work` beside a shop with the demo catalogue on an embedded database, then removes both. */
export async function besideDemoShop<T>(work: (shop: ShopProcess) => Promise<T>): Promise<T> {
  const folder = makeDataFolder();
  const shop = await startShop({ DATA_DIR: folder.path });
  try {
    await shop.firstSuccess('/readyz');
    return await work(shop);
  } finally {
    await shop.stop();
    await folder.remove();
  }
}
