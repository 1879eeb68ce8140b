import { readImageHash } from '@parts-forge/contract/image-variant';
import type { Executor } from '#src/platform/database/connection.ts';
import { createLocalStore } from './local-store.ts';
import { insertAddress, isWithoutAddress } from './store.ts';

/**
 * Processes of an older version store no address, and run beside this one during an upgrade.
 * @returns false unless the shop knows the picture and the folder has all its files
 */
export async function recoverAddress(db: Executor, folder: string, address: string): Promise<boolean> {
  const hash = readImageHash(address);
  if (hash === null || !(await isWithoutAddress(db, hash))) return false;
  if (!(await createLocalStore(folder).holds(address))) return false;
  await insertAddress(db, hash, address);
  return true;
}
