import { EventEmitter } from 'node:events';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '@parts-forge/contract/bounds';
import { uploadImage } from '@parts-forge/contract/images';
import { trustedOrigins } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import type { TakePlace } from '#src/platform/http/limits/upload-places.ts';
import type { Platform } from '#src/platform/platform.ts';
import { lockAdministrator } from '#src/users/store.ts';
import { createAddressOrigins } from './address-origins.ts';
import { createDirectUploads } from './direct-uploads.ts';
import { registerPictures } from './give-out-pictures.ts';
import type { ImageHost } from './host.ts';
import { createHostedStore } from './hosted-store.ts';
import { createLocalStore } from './local-store.ts';
import { type Original, removeAbandonedOriginals, saveOriginal, withOriginalFile } from './original-file.ts';
import { createPictureEncoder } from './picture-encoder.ts';
import { resolvePicturesFolder } from './picture-files.ts';
import type { PictureStore } from './picture-store.ts';
import { createS3Store } from './s3-store.ts';
import { findGivenOut } from './store.ts';
import { storePicture } from './store-picture.ts';
import { createUploadKeys, UPLOAD_KEY_SECONDS } from './upload-keys.ts';
import { registerUpload, type UploadedPicture } from './upload-route.ts';

export function createPictureStore(config: Pick<Config, 'pictureStore' | 'dataDir'>): PictureStore {
  const { pictureStore } = config;
  if (pictureStore === null) return createLocalStore(resolvePicturesFolder(config));
  return pictureStore.kind === 's3' ? createS3Store(pictureStore) : createHostedStore(pictureStore);
}

/** Issued addresses of former stores stay valid. */
export async function createImageHost({
  config,
  database: { db },
  changes,
  clock,
}: Pick<Platform, 'config' | 'database' | 'changes' | 'clock'>): Promise<ImageHost> {
  await removeAbandonedOriginals();
  const store = createPictureStore(config);
  const folder = resolvePicturesFolder(config);
  const keys = createUploadKeys(await ensureSecret(db, 'image_key_secret'), clock);
  const encoder = createPictureEncoder(config);
  const keep = (picture: UploadedPicture) => storePicture({ db, changes, store, encoder }, picture);
  const listAddressOrigins = createAddressOrigins(db, changes);
  // In case the database fails before the first page.
  await listAddressOrigins();
  const direct = store.direct && createDirectUploads(store.direct, db, clock);
  return {
    pageConfig: { maxBytes: MAX_IMAGE_BYTES, types: [...IMAGE_TYPES], widths: [...store.widths] },
    listOrigins: async () => ({
      show: [...new Set([...store.origins, ...(await listAddressOrigins())])],
      send: store.direct ? [store.direct.origin] : [],
    }),
    async openUpload(administrator, bytes) {
      await administrator.confirm(db);
      const { key, name } = keys.issue(administrator.userId);
      const target = { url: uploadImage.path, key, expiresIn: UPLOAD_KEY_SECONDS };
      if (!direct || bytes === undefined) return target;
      return { ...target, direct: await direct.open(name, bytes, UPLOAD_KEY_SECONDS) };
    },
    async takeUpload(administrator, key, takePlace) {
      const { userId, confirm } = administrator;
      const opened = keys.read(key);
      if (!direct || opened?.userId !== userId) throw invalidField('key', 'The key is wrong or too old.');
      return takeOriginal(direct, opened.name, takePlace, (original, signal) =>
        keep({ original, uploadedBy: userId, signal, confirm }),
      );
    },
    async accept(addresses) {
      const paths = new Map(addresses.map((address) => [address, findPath(address)]));
      const known = await findGivenOut(db, [...paths.values()]);
      return new Map([...paths].filter(([, path]) => known.has(path)));
    },
    purgeUploads: async () => (await direct?.purge()) ?? 0,
    async routes(app) {
      registerPictures(app, folder);
      await registerUpload(app, { findUploader, store: keep });
    },
  };

  function findPath(address: string): string {
    const origin = trustedOrigins(config).find((trusted) => address.startsWith(`${trusted}/`));
    return origin ? address.slice(origin.length) : address;
  }

  async function findUploader(key: string, tx: Executor = db): Promise<string | null> {
    const opened = keys.read(key);
    return opened !== null && (await lockAdministrator(tx, opened.userId)) ? opened.userId : null;
  }
}

async function takeOriginal(
  direct: ReturnType<typeof createDirectUploads>,
  name: string,
  takePlace: TakePlace,
  keep: (original: Original, signal: AbortSignal) => Promise<string>,
): Promise<string> {
  const taken = new EventEmitter();
  const signal = await takePlace(taken);
  try {
    const bytes = await direct.take(name, signal);
    const url = await withOriginalFile(async (file) => keep(await saveOriginal(file, [bytes]), signal));
    // The purge deletes a remaining original.
    await direct.remove(name).catch(() => {});
    return url;
  } finally {
    taken.emit('close');
  }
}
