import type { Clock } from '#src/platform/core/clock.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { DirectUploads as Storage } from './picture-store.ts';
import { deleteIncoming, insertIncoming, listIncomingBefore } from './store.ts';

/** Unprocessed uploads are useless after a day. */
const MAX_AGE_MS = 86_400_000;

/** Stores the name before it issues the address, to delete even abandoned uploads. */
export const createDirectUploads = (storage: Storage, db: Executor, clock: Clock) => ({
  async open(name: string, bytes: number, expiresIn: number): Promise<{ url: string }> {
    await insertIncoming(db, name, clock.now());
    return { url: await storage.open(name, bytes, expiresIn) };
  },
  take: (name: string, signal: AbortSignal): Promise<Buffer> => storage.take(name, signal),
  /** Keeps the name: its address may accept another upload until it expires. */
  remove: (name: string): Promise<void> => storage.remove(name),
  async purge(): Promise<number> {
    const names = await listIncomingBefore(db, new Date(clock.now().getTime() - MAX_AGE_MS));
    for (const name of names) {
      await storage.remove(name);
      await deleteIncoming(db, name);
    }
    return names.length;
  },
});
