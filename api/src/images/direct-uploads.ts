import type { Clock } from '#src/platform/core/clock.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { DirectUploads as Storage } from './picture-store.ts';
import { deleteIncoming, insertIncoming, listIncomingBefore } from './store.ts';

/** What was sent is of no use after a day; its address takes nothing any more long before. */
const MAX_AGE_MS = 86_400_000;

/**
 * Originals that browsers send past the shop. Each is remembered before its address is given out, so that none stays in
 * the storage for ever: who leaves the page tells nobody.
 */
export const createDirectUploads = (storage: Storage, db: Executor, clock: Clock) => ({
  async open(name: string, bytes: number, expiresIn: number): Promise<{ url: string }> {
    await insertIncoming(db, name, clock.now());
    return { url: await storage.open(name, bytes, expiresIn) };
  },
  take: (name: string, signal: AbortSignal): Promise<Buffer> => storage.take(name, signal),
  /** Harmless when there is nothing. It stays remembered: as long as its address is good, something may be sent again. */
  remove: (name: string): Promise<void> => storage.remove(name),
  /** Removes what is of no use any more, and forgets it. @returns how many there may have been */
  async purge(): Promise<number> {
    const names = await listIncomingBefore(db, new Date(clock.now().getTime() - MAX_AGE_MS));
    for (const name of names) {
      await storage.remove(name);
      await deleteIncoming(db, name);
    }
    return names.length;
  },
});
