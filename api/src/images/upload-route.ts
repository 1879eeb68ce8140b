import multipart from '@fastify/multipart';
import { MAX_IMAGE_BYTES } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { uploadImage } from '@parts-forge/contract/products/images';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { isEncoded } from '#src/platform/http/calls/json-body.ts';
import { strictQuery } from '#src/platform/http/calls/strict.ts';
import { parse } from '#src/platform/http/calls/validation.ts';
import { type Original, saveOriginal, withOriginalFile } from './original-file.ts';

/** Picture plus multipart framing. */
const MAX_FORM_BYTES = MAX_IMAGE_BYTES + 64 * 1024;

/** The server's limit for any request. */
const UPLOAD_TIMEOUT_MS = 60_000;

export interface UploadedPicture {
  original: Original;
  /** The sent file's name; may be empty. */
  name: string;
  uploadedBy: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Throws a Problem once the uploader has lost the right. */
  confirm(tx: Executor): Promise<void>;
}

export interface Uploads {
  /** Null for an invalid key, one of a former administrator, or one by an ended API key. */
  findUploader(key: string, tx?: Executor): Promise<string | null>;
  store(picture: UploadedPicture): Promise<string>;
}

/** Its own scope: no other call takes forms. */
export async function registerUpload(app: FastifyInstance, { findUploader, store }: Uploads): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart, {
      limits: { fileSize: MAX_IMAGE_BYTES, files: 1, fields: 10, fieldSize: 1000, parts: 11 },
      throwFileSizeLimit: false,
    });
    const begun = new WeakMap<FastifyRequest, Omit<UploadedPicture, 'original' | 'name'>>();
    scope.post<{ Querystring: { key?: unknown } }>(
      uploadImage.path,
      {
        bodyLimit: MAX_FORM_BYTES,
        config: { call: uploadImage, requestTimeoutMs: UPLOAD_TIMEOUT_MS },
        preParsing: async (request, reply) => {
          const { key } = request.query as { key?: unknown };
          const requireUploader = async (tx?: Executor) => {
            const uploader = typeof key === 'string' ? await findUploader(key, tx) : null;
            if (uploader !== null) return uploader;
            throw new Problem('sign-in-needed', { detail: 'The key is wrong or too old.' });
          };
          const uploadedBy = await requireUploader();
          const confirm = async (tx: Executor) => void (await requireUploader(tx));
          if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) throw new Problem('too-large');
          parse(strictQuery(uploadImage), request.query);
          if (isEncoded(request) || !request.headers['content-type']?.startsWith('multipart/form-data'))
            throw new Problem('wrong-kind');
          begun.set(request, { uploadedBy, confirm, signal: await app.takePlace(reply.raw) });
        },
      },
      async (request, reply) => {
        const upload = begun.get(request);
        if (upload === undefined) throw new Problem('sign-in-needed');
        try {
          const url = await withOriginalFile(async (file) =>
            store({ ...upload, ...(await saveImageField(request, file)) }),
          );
          return reply.header('cache-control', 'no-store').send({ data: { url } });
        } catch (error) {
          // The client is gone.
          if (upload.signal.aborted) return reply;
          throw error;
        }
      },
    );
  });
}

/** @throws Problem `too-large`, `wrong-kind`, `invalid`, `bad-request`, `unavailable` */
async function saveImageField(
  request: FastifyRequest,
  file: string,
): Promise<Pick<UploadedPicture, 'original' | 'name'>> {
  let picture: Original | null = null;
  let name = '';
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== 'image') {
        part.file.resume();
        continue;
      }
      // Rules out certain non-pictures; decoding decides.
      if (!/^(image\/(?!svg)|application\/octet-stream$)/.test(part.mimetype))
        throw new Problem('wrong-kind');
      picture = await saveOriginal(file, part.file);
      name = part.filename ?? '';
      if (part.file.truncated) throw new Problem('too-large');
    }
  } catch (error) {
    // An unread body would block the connection until the upload times out.
    request.raw.unpipe();
    request.raw.resume();
    if (error instanceof Problem) throw error;
    const { code } = error as { code?: string };
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new Problem('too-large');
    if (code === 'FST_FILES_LIMIT') throw invalidField('image', 'Must be one picture');
    throw new Problem('bad-request', { detail: 'The multipart form cannot be read.', cause: error });
  }
  if (!picture?.bytes) throw invalidField('image', messages.imageRequired);
  return { original: picture, name };
}
