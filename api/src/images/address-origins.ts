import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { insertImages, listAddressOrigins, type NewImage } from './store.ts';

/**
 * Remembers a picture with where it is. Where no picture has been at that origin before, every process is told, as its
 * pages have to allow it.
 */
export async function rememberPicture(
  changes: Pick<ChangeFeed, 'write'>,
  picture: NewImage & { address: string },
): Promise<void> {
  await changes.write(async (tx, changed) => {
    const before = await listAddressOrigins(tx);
    await insertImages(tx, [picture]);
    const after = await listAddressOrigins(tx);
    if (after.length > before.length) changed('config');
  });
}

/**
 * The origins of all pictures, read anew after one has come in by another process or command, whose settings may name
 * another store.
 * @returns lists them; what was known last while the database cannot be reached
 */
export function createAddressOrigins(
  db: Executor,
  changes: Pick<ChangeFeed, 'isConnected' | 'subscribe'>,
): () => Promise<readonly string[]> {
  let last: readonly string[] = [];
  let listing: Promise<readonly string[]> | null = null;
  changes.subscribe((changed) => {
    if (changed === 'all' || changed.has('config')) listing = null;
  });

  function list(): Promise<readonly string[]> {
    const begun = listAddressOrigins(db).then(
      (origins) => {
        last = origins;
        return origins;
      },
      () => {
        if (listing === begun) listing = null;
        return last;
      },
    );
    return begun;
  }

  return async () => {
    // Nothing is cached then, and a database that is away is not asked.
    if (!changes.isConnected) return last;
    listing ??= list();
    return listing;
  };
}
