import { readImageHash } from '@parts-forge/contract/image-variant';
import type { Executor } from '#src/platform/database/connection.ts';
import { createLocalStore } from './local-store.ts';
import { insertAddress, isWithoutAddress } from './store.ts';

/**
 * Stores the missing address of a picture. Processes of a version that knew only this server's folder store
 * none, and they run beside this version during an upgrade.
 * @param folder of this server's pictures
 * @returns false, without writing, unless the shop knows the picture and all its files are in the folder
 */
export async function recoverAddress(db: Executor, folder: string, address: string): Promise<boolean> {
  const hash = readImageHash(address);
  if (hash === null || !(await isWithoutAddress(db, hash))) return false;
  if (!(await createLocalStore(folder).holds(address))) return false;
  await insertAddress(db, hash, address);
  return true;
}
