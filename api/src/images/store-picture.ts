import { webcrypto } from 'node:crypto';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { rememberPicture } from './address-origins.ts';
import type { PictureEncoder } from './picture-encoder.ts';
import type { PictureStore } from './picture-store.ts';
import { listAddresses } from './store.ts';
import type { UploadedPicture } from './upload-route.ts';

interface Parts {
  db: Executor;
  changes: Pick<ChangeFeed, 'write'>;
  store: PictureStore;
  encoder: PictureEncoder;
}

/**
 * Makes a picture in every width and format, puts it in the store and remembers its address. One that is there already,
 * by the hash of what was uploaded, is not made again.
 * @returns its address
 */
export async function storePicture(
  { db, changes, store, encoder }: Parts,
  { original, uploadedBy, signal }: UploadedPicture,
): Promise<string> {
  const hash = await hashPicture(original);
  for (const address of await listAddresses(db, hash)) if (await store.holds(address)) return address;

  const picture = await encoder.encode(original, signal);
  const address = await store.put({ ...picture, hash }, signal);
  const { format: type, width, height } = picture;
  const bytes = original.length;
  await rememberPicture(changes, { address, hash, type, width, height, bytes, uploadedBy });
  return address;
}

/** In another thread, as ten megabytes would hold everybody up for some ten milliseconds. */
async function hashPicture(original: Buffer): Promise<string> {
  // What a request or a storage brought is in memory of this thread alone, which the type of Buffer does not say.
  const bytes = original as Buffer<ArrayBuffer>;
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
