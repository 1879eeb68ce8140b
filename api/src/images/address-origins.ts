import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { insertImages, listAddressOrigins, type NewImage } from './store.ts';

/** Publishes a new origin, because the pages of all processes must allow it. */
export async function rememberPicture(
  changes: Pick<ChangeFeed, 'write'>,
  picture: NewImage & { address: string },
  confirm?: (tx: Executor) => Promise<void>,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await confirm?.(tx);
    const before = await listAddressOrigins(tx);
    await insertImages(tx, [picture]);
    const after = await listAddressOrigins(tx);
    if (after.length > before.length) changed('config');
  });
}

/** Returns the last known origins while the database is unreachable. */
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
    if (!changes.isConnected) return last;
    listing ??= list();
    return listing;
  };
}
