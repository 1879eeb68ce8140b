import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import multipart from '@fastify/multipart';
import { IMAGE_TYPES, MAX_IMAGE_BYTES, uploadImage } from '@parts-forge/contract/images';
import { eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import { images } from '#src/db/schema.ts';
import type { Clock } from '#src/platform/clock.ts';
import { type Config, trustedOrigins } from '#src/platform/config.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { secretOf } from '#src/platform/database/settings.ts';
import { invalidField, Problem } from '#src/platform/http/problem.ts';
import { isAdministrator } from '#src/users/store.ts';
import { encodePicture, PICTURE_ENDINGS } from './encode-picture.ts';
import type { ImageHost } from './host.ts';

/** A key opens the upload for ten minutes (contract, `POST /images/key`). */
const KEY_SECONDS = 600;
const fileName = /^([0-9a-f]{64})-(?:160|320|640|1280)\.(webp|avif)$/;
const picturePath = /^\/images\/([0-9a-f]{64})-1280\.webp$/;

/** Where the files of the pictures are. */
export const picturesFolder = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'images');

/**
 * Pictures in this server's own folder, each under the hash of what was uploaded, in the widths and formats that
 * the pages use. The files never change, so they may be kept for ever.
 */
export async function createLocalImageHost(
  config: Pick<Config, 'dataDir' | 'origin' | 'port'>,
  { db }: Database,
  clock: Clock,
): Promise<ImageHost> {
  const folder = picturesFolder(config);
  const secret = await secretOf(db, 'image_key_secret');
  const seal = (payload: string) => createHmac('sha256', secret).update(payload).digest();
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000);

  /** @returns the id of the administrator whom the key was given to; null for a forged or old one, or when they are none any more */
  async function uploaderOf(key: string): Promise<string | null> {
    const [payload = '', mac = ''] = key.split('.');
    const given = Buffer.from(mac, 'base64url');
    const right = seal(payload);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    const [userId = '', until = '0'] = Buffer.from(payload, 'base64url').toString('utf8').split(' ');
    return Number(until) > nowSeconds() && (await isAdministrator(db, userId)) ? userId : null;
  }

  /** Files that are there are left as they are: a later encoder makes other bytes, and a name stands for one picture for ever. */
  async function keep(original: Buffer, uploadedBy: string): Promise<string> {
    const hash = createHash('sha256').update(original).digest('hex');
    const url = `/images/${hash}-1280.webp`;
    const missing = await missingFiles(path.join(folder, hash));
    if (missing.length === 0 && (await isKnown(hash))) return url;

    const picture = await encodePicture(original).catch(() => {
      throw invalidField('image', 'Must be a JPEG, PNG, WebP, AVIF or GIF picture of at most 50 megapixels');
    });
    await writeFiles(hash, missing, picture.files);
    await db
      .insert(images)
      .values({
        hash,
        type: picture.format,
        width: picture.width,
        height: picture.height,
        bytes: original.length,
        uploadedBy,
      })
      .onConflictDoNothing();
    return url;
  }

  /** @throws Problem `unavailable` when the folder cannot be written to */
  async function writeFiles(hash: string, endings: readonly string[], files: Map<string, Buffer>) {
    try {
      await mkdir(folder, { recursive: true });
      for (const [ending, bytes] of files) {
        if (endings.includes(ending)) await writeWhole(path.join(folder, hash + ending), bytes);
      }
    } catch (error) {
      const problem = new Problem('unavailable', { detail: 'Pictures cannot be kept at the moment.' });
      problem.cause = error;
      throw problem;
    }
  }

  async function isKnown(hash: string): Promise<boolean> {
    const [known] = await db.select({ hash: images.hash }).from(images).where(eq(images.hash, hash));
    return known !== undefined;
  }

  return {
    pageConfig: { maxBytes: MAX_IMAGE_BYTES, types: [...IMAGE_TYPES] },

    async openUpload({ userId }) {
      const payload = Buffer.from(
        `${userId} ${nowSeconds() + KEY_SECONDS} ${randomBytes(9).toString('base64url')}`,
      ).toString('base64url');
      const key = `${payload}.${seal(payload).toString('base64url')}`;
      return { url: uploadImage.path, key, expiresIn: KEY_SECONDS };
    },

    async accepted(image) {
      const origin = trustedOrigins(config).find((trusted) => image.startsWith(`${trusted}/`));
      const ownPath = origin ? image.slice(origin.length) : image;
      const hash = picturePath.exec(ownPath)?.[1];
      return hash !== undefined && (await isKnown(hash)) ? ownPath : null;
    },

    async routes(app) {
      app.get<{ Params: { file: string } }>('/images/:file', async (request, reply) => {
        const [, , format] = fileName.exec(request.params.file) ?? [];
        if (!format) return reply.callNotFound();
        const bytes = await readFile(path.join(folder, request.params.file)).catch(() => null);
        if (!bytes) throw new Problem('not-found');
        return reply
          .header('cache-control', 'public, max-age=31536000, immutable')
          .type(`image/${format}`)
          .send(bytes);
      });

      await app.register(async (uploads) => {
        await uploads.register(multipart, {
          limits: { fileSize: MAX_IMAGE_BYTES, files: 1, fields: 10, fieldSize: 1000, parts: 11 },
          throwFileSizeLimit: false,
        });
        uploads.post<{ Querystring: { key?: unknown } }>(
          uploadImage.path,
          {
            // Multipart's own framing comes on top of the picture.
            bodyLimit: MAX_IMAGE_BYTES + 64 * 1024,
            config: { call: uploadImage as never },
            preParsing: async (request) => {
              const { key } = request.query as { key?: unknown };
              const uploader = typeof key === 'string' ? await uploaderOf(key) : null;
              if (uploader === null)
                throw new Problem('sign-in-needed', { detail: 'The key is wrong or too old.' });
              request.actor = uploader;
              if (Number(request.headers['content-length'] ?? 0) > MAX_IMAGE_BYTES + 64 * 1024) {
                throw new Problem('too-large');
              }
              if (!request.headers['content-type']?.startsWith('multipart/form-data'))
                throw new Problem('wrong-kind');
            },
          },
          async (request, reply) => {
            const url = await keep(await pictureOf(request), request.actor as string);
            return reply.header('cache-control', 'no-store').send({ data: { url } });
          },
        );
      });
    },
  };
}

/** @throws Problem `too-large`, `wrong-kind`, `invalid` */
async function pictureOf(request: FastifyRequest): Promise<Buffer> {
  let picture: Buffer | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== 'image') {
        part.file.resume();
        continue;
      }
      // What it calls itself only tells what is certainly none; what it is shows when it is decoded.
      if (!/^(image\/(?!svg)|application\/octet-stream$)/.test(part.mimetype))
        throw new Problem('wrong-kind');
      picture = await part.toBuffer();
      if (part.file.truncated) throw new Problem('too-large');
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code } = error as { code?: string };
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new Problem('too-large');
    if (code === 'FST_FILES_LIMIT') throw invalidField('image', 'Must be one picture');
    throw new Problem('bad-request', { detail: 'The multipart form cannot be read.' });
  }
  if (!picture?.length) throw invalidField('image', 'Image is Required');
  return picture;
}

/** The endings of a picture that are not in the folder. */
async function missingFiles(stem: string): Promise<string[]> {
  const isMissing = await Promise.all(
    PICTURE_ENDINGS.map((ending) =>
      access(stem + ending).then(
        () => false,
        () => true,
      ),
    ),
  );
  return PICTURE_ENDINGS.filter((_, index) => isMissing[index]);
}

/** Puts a file in its place whole or not at all. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, bytes);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
