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

/** Finds known pictures by hash. @throws Problem as `confirm` */
export async function storePicture(
  { db, changes, store, encoder }: Parts,
  { original, uploadedBy, signal, confirm }: Omit<UploadedPicture, 'name'>,
): Promise<string> {
  const { file, hash, bytes } = original;
  await confirm(db);
  for (const address of await listAddresses(db, hash)) if (await store.holds(address)) return address;

  const picture = await encoder.encode(file, signal);
  const address = await store.put({ ...picture, hash }, signal);
  const { format: type, width, height } = picture;
  await rememberPicture(changes, { address, hash, type, width, height, bytes, uploadedBy }, confirm);
  return address;
}
