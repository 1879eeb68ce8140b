import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { rememberPicture } from './address-origins.ts';
import { createPictureStore } from './image-host.ts';
import { createPictureEncoder, type PictureEncoder } from './picture-encoder.ts';
import { resolvePicturesFolder } from './picture-files.ts';
import type { PictureStore } from './picture-store.ts';
import { readFiles } from './read-files.ts';
import { listAddresses, listPictures, type StoredImage } from './store.ts';

/** `process` connects the owners of addresses. */
export interface PictureUsers {
  listAddresses(): Promise<string[]>;
  replace(from: string, to: string): Promise<{ products: number; orders: number }>;
}

export interface MovedPictures {
  pictures: number;
  products: number;
  orders: number;
  /** Not copied, and why. */
  left: { address: string; why: string }[];
}

interface Parts {
  platform: Pick<Platform, 'config' | 'database' | 'changes'>;
  users: PictureUsers;
  isRehearsal: boolean;
  signal: AbortSignal;
  say(text: string): void;
}

/**
 * Copies to the configured store, even while the shop runs. Old files stay for open pages and backups.
 * Repeatable.
 * @throws the signal's reason
 */
export async function movePictures({
  platform,
  users,
  isRehearsal,
  signal,
  say,
}: Parts): Promise<MovedPictures> {
  const { config, database, changes } = platform;
  const store = createPictureStore(config);
  const encoder = createPictureEncoder(config);
  const folder = resolvePicturesFolder(config);
  const moved: MovedPictures = { pictures: 0, products: 0, orders: 0, left: [] };
  const addresses = await users.listAddresses();
  const known = new Map((await listPictures(database.db)).map((image) => [image.address, image]));

  for (const address of addresses) {
    signal.throwIfAborted();
    const image = known.get(address);
    if (!image) {
      moved.left.push({ address, why: 'the shop did not give this address out' });
      continue;
    }
    try {
      if (await store.holds(address)) continue;
      moved.pictures += 1;
      if (isRehearsal) continue;
      const target = await carry({ db: database.db, store, encoder, folder, signal }, image);
      await rememberPicture(changes, { ...image, address: target });
      const { products, orders } = await users.replace(address, target);
      moved.products += products;
      moved.orders += orders;
      say(`${address} → ${target}`);
    } catch (error) {
      signal.throwIfAborted();
      moved.pictures -= 1;
      moved.left.push({ address, why: describe(error) });
    }
  }
  return moved;
}

async function carry(
  parts: { db: Executor; store: PictureStore; encoder: PictureEncoder; folder: string; signal: AbortSignal },
  { address, ...image }: StoredImage,
): Promise<string> {
  const { db, store, encoder, folder, signal } = parts;
  // The store may have it already.
  for (const former of await listAddresses(db, image.hash)) if (await store.holds(former)) return former;
  const files = await readFiles(address, folder, encoder, signal);
  return store.put({ ...image, format: image.type, files }, signal);
}

const describe = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};
