import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '@parts-forge/contract/calls/bounds';
import { openUpload, uploadImage } from '@parts-forge/contract/products/images';
import type { FastifyInstance } from 'fastify';
import { trustedOrigins } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import { actAs, type TokenLookup } from '#src/platform/http/calls/access.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { lockAdministrator } from '#src/users/store.ts';
import { createAddressOrigins } from './address-origins.ts';
import { createHostedStore } from './hosted-store.ts';
import { createLocalStore } from './local-store.ts';
import { removeAbandonedOriginals } from './original-file.ts';
import { createPictureEncoder } from './picture-encoder.ts';
import { resolvePicturesFolder } from './picture-files.ts';
import type { PictureStore } from './picture-store.ts';
import { createS3Store } from './s3-store.ts';
import { registerPictures } from './serve-pictures.ts';
import { findGivenOut, findNamed, nameImage } from './store.ts';
import { storePicture } from './store-picture.ts';
import { createUploadKeys, UPLOAD_KEY_SECONDS } from './upload-keys.ts';
import { registerUpload, type UploadedPicture } from './upload-route.ts';

export function createPictureStore(config: Pick<Config, 'pictureStore' | 'dataDir'>): PictureStore {
  const { pictureStore } = config;
  if (pictureStore === null) return createLocalStore(resolvePicturesFolder(config));
  return pictureStore.kind === 's3' ? createS3Store(pictureStore) : createHostedStore(pictureStore);
}

/** Issued addresses of former stores stay valid. */
export async function createImageHost(
  { config, database: { db }, changes, clock }: Pick<Platform, 'config' | 'database' | 'changes' | 'clock'>,
  tokens: Pick<TokenLookup, 'findScopes'>,
) {
  await removeAbandonedOriginals();
  const store = createPictureStore(config);
  const folder = resolvePicturesFolder(config);
  const keys = createUploadKeys(await ensureSecret(db, 'image_key_secret'), clock);
  const encoder = createPictureEncoder(config);
  const keep = async ({ name, ...picture }: UploadedPicture) => {
    const address = await storePicture({ db, changes, store, encoder }, picture);
    if (name !== '') await actAs(changes, picture, (tx) => nameImage(tx, name, picture.original.hash));
    return address;
  };
  const listAddressOrigins = createAddressOrigins(db, changes);
  // In case the database fails before the first page.
  await listAddressOrigins();
  return {
    pageConfig: { maxBytes: MAX_IMAGE_BYTES, types: [...IMAGE_TYPES], widths: [...store.widths] },
    /** For the content security policy. They change with the tag `config`. */
    listOrigins: async () => [...new Set([...store.origins, ...(await listAddressOrigins())])],
    /** The addresses as products store them, also by names of sent files; without foreign ones. */
    async accept(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const paths = new Map(addresses.map((address) => [address, findPath(address)]));
      const known = await findGivenOut(db, [...paths.values()]);
      const named = await findNamed(
        db,
        addresses.filter((address) => !address.includes('/')),
      );
      return new Map([...[...paths].filter(([, path]) => known.has(path)), ...named]);
    },
    async routes(app: FastifyInstance): Promise<void> {
      serveCall(app, openUpload, async ({ actor }) => {
        await actor.confirm(db);
        const key = keys.issue(actor.userId, actor.key?.id ?? '');
        return { url: uploadImage.path, key, expiresIn: UPLOAD_KEY_SECONDS };
      });
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
    if (opened === null || !(await lockAdministrator(tx, opened.userId))) return null;
    const { userId, keyId } = opened;
    return keyId === '' || (await tokens.findScopes(keyId, tx)) !== null ? userId : null;
  }
}
