import { readImageHash } from '@parts-forge/contract/image-variant';
import type { Executor } from '#src/platform/database/connection.ts';
import { createLocalStore } from './local-store.ts';
import { insertAddress, isWithoutAddress } from './store.ts';

/**
 * Writes the address of a picture down that was made without one. Processes of a version that knew no other place than
 * this server's folder do that, and during an upgrade they serve beside those of this version.
 * @param folder of this server's pictures
 * @returns false, and nothing is written, unless the shop has taken that picture and all its files are in the folder
 */
export async function recoverAddress(db: Executor, folder: string, address: string): Promise<boolean> {
  const hash = readImageHash(address);
  if (hash === null || !(await isWithoutAddress(db, hash))) return false;
  if (!(await createLocalStore(folder).holds(address))) return false;
  await insertAddress(db, hash, address);
  return true;
}
