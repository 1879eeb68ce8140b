import { webcrypto } from 'node:crypto';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '@parts-forge/contract/bounds';
import { buildImageAddress, readImageHash } from '@parts-forge/contract/image-variant';
import { uploadImage } from '@parts-forge/contract/images';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { trustedOrigins } from '#src/platform/core/config/server.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import type { Platform } from '#src/platform/platform.ts';
import { isAdministrator } from '#src/users/store.ts';
import type { ImageHost } from './host.ts';
import { createPictureEncoder, type PictureEncoder } from './picture-encoder.ts';
import {
  findMissingEndings,
  readPicture,
  readPictureType,
  resolvePicturesFolder,
  writePictures,
} from './picture-files.ts';
import { images } from './schema.ts';
import { createUploadKeys, UPLOAD_KEY_SECONDS } from './upload-keys.ts';
import { registerUpload, type UploadedPicture, type Uploads } from './upload-route.ts';

/**
 * Pictures in this server's own folder, each under the hash of what was uploaded, in the widths and formats that
 * the pages use. The files never change, so browsers may keep them for ever.
 */
export async function createLocalImageHost({
  config,
  database: { db },
  clock,
}: Pick<Platform, 'config' | 'database' | 'clock'>): Promise<ImageHost> {
  const folder = resolvePicturesFolder(config);
  const keys = createUploadKeys(await ensureSecret(db, 'image_key_secret'), clock);
  const encoder = createPictureEncoder(config.pictureTimeoutMs);
  const uploads: Uploads = {
    async findUploader(key: string) {
      const userId = keys.read(key);
      return userId !== null && (await isAdministrator(db, userId)) ? userId : null;
    },
    store: (picture) => storePicture({ db, folder, encoder }, picture),
  };

  return {
    pageConfig: { maxBytes: MAX_IMAGE_BYTES, types: [...IMAGE_TYPES] },
    async openUpload({ userId }) {
      return { url: uploadImage.path, key: keys.issue(userId), expiresIn: UPLOAD_KEY_SECONDS };
    },
    async accept(address) {
      const origin = trustedOrigins(config).find((trusted) => address.startsWith(`${trusted}/`));
      const path = origin ? address.slice(origin.length) : address;
      const hash = readImageHash(path);
      return hash !== null && (await isKnown(db, hash)) ? path : null;
    },
    async routes(app) {
      registerPictures(app, folder);
      await registerUpload(app, uploads);
    },
  };
}

/** Stores a picture in every width and format, under the hash of what was uploaded. @returns its address */
async function storePicture(
  { db, folder, encoder }: { db: Executor; folder: string; encoder: PictureEncoder },
  { original, uploadedBy, signal }: UploadedPicture,
): Promise<string> {
  const hash = await hashPicture(original);
  const url = buildImageAddress(hash);
  const missing = await findMissingEndings(folder, hash);
  if (missing.length === 0 && (await isKnown(db, hash))) return url;

  const { format: type, width, height, files } = await encoder.encode(original, signal);
  await writePictures(folder, hash, missing, files);
  await db
    .insert(images)
    .values({ hash, type, width, height, bytes: original.length, uploadedBy })
    .onConflictDoNothing();
  return url;
}

/** In another thread, as ten megabytes would hold everybody up for some ten milliseconds. */
async function hashPicture(original: Buffer): Promise<string> {
  // What a request brought is in memory of this thread alone, which the type of Buffer does not say.
  const bytes = original as Buffer<ArrayBuffer>;
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

async function isKnown(db: Executor, hash: string): Promise<boolean> {
  const [known] = await db.select({ hash: images.hash }).from(images).where(eq(images.hash, hash));
  return known !== undefined;
}

/** `GET /images/<hash>-<width>.<format>`. Outside the limit on rates: a page full of parts asks for dozens at once. */
function registerPictures(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { file: string } }>(
    '/images/:file',
    { config: { rateLimit: false } },
    async (request, reply) => {
      const { file } = request.params;
      const type = readPictureType(file);
      if (!type) return reply.callNotFound();
      const bytes = await readPicture(folder, file);
      if (!bytes) throw new Problem('not-found');
      return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(bytes);
    },
  );
}
