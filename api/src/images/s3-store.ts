import { setTimeout as wait } from 'node:timers/promises';
import { IMAGE_WIDTHS } from '@parts-forge/contract/calls/bounds';
import { buildImageAddress, readImageHash } from '@parts-forge/contract/products/image-variant';
import { S3mini, S3ServiceError } from 's3mini';
import type { S3StoreConfig } from '#src/platform/core/config/pictures.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { PICTURE_ENDINGS } from './picture-files.ts';
import type { PictureStore } from './picture-store.ts';

const REQUEST_TIMEOUT_MS = 8_000;
/** Before retries of storage errors (`InternalError`, `SlowDown`), as AWS recommends. */
const RETRY_PAUSES_MS = [200, 800];
const SIGNED_SECONDS = 60;
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Names match the shop's folder, so a move changes only an address's beginning. */
export function createS3Store({ bucketUrl, publicUrl, ...keys }: S3StoreConfig): PictureStore {
  const bucket = new S3mini({ ...keys, endpoint: bucketUrl, requestAbortTimeout: REQUEST_TIMEOUT_MS });
  return {
    widths: IMAGE_WIDTHS,
    origins: [new URL(publicUrl).origin],
    async holds(address) {
      const hash = address.startsWith(`${publicUrl}/`)
        ? readImageHash(address.slice(publicUrl.length))
        : null;
      return hash !== null && (await findMissing(bucket, hash)).length === 0;
    },
    async put({ hash, files }, signal) {
      const missing = await findMissing(bucket, hash);
      for (const [ending, bytes] of files) {
        if (missing.includes(ending)) await putFile(bucket, `images/${hash}${ending}`, bytes, signal);
      }
      return publicUrl + buildImageAddress(hash);
    },
  };
}

async function findMissing(bucket: S3mini, hash: string): Promise<string[]> {
  const present = await asking(() =>
    Promise.all(PICTURE_ENDINGS.map((ending) => hasObject(bucket, `images/${hash}${ending}`))),
  );
  return PICTURE_ENDINGS.filter((_, index) => present[index] !== true);
}

/** Without the right to list, AWS answers 403 instead of 404. */
async function hasObject(bucket: S3mini, name: string): Promise<boolean> {
  try {
    return (await bucket.objectExists(name)) === true;
  } catch (error) {
    if (error instanceof S3ServiceError && error.status === 403) return false;
    throw error;
  }
}

/** By signed address, because the client sends no `Cache-Control`. Writes are atomic. */
async function putFile(bucket: S3mini, name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const headers = { 'content-type': `image/${name.split('.').at(-1)}`, 'cache-control': FOR_EVER };
  await asking(async () => {
    const url = await bucket.getPresignedUrl('PUT', name, SIGNED_SECONDS, {}, headers);
    const answer = await fetch(url, {
      method: 'PUT',
      headers,
      body: new Uint8Array(bytes),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new StorageFailure('PUT of a picture', answer.status);
  }, signal);
}

class StorageFailure extends Error {
  readonly status: number;
  constructor(what: string, status: number) {
    super(`${what} was answered ${status}`);
    this.status = status;
  }
}

/** Repeatable: writes are atomic, and names derive from the bytes. */
async function repeating<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const pauseMs of RETRY_PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await wait(pauseMs, undefined, { signal });
    }
  }
  return ask();
}

const isPassing = (error: unknown): boolean =>
  (error instanceof StorageFailure || error instanceof S3ServiceError) &&
  (error.status === 500 || error.status === 503);

/** @throws Problem `unavailable` for storage and network errors; the signal's reason */
async function asking<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await repeating(ask, signal);
  } catch (error) {
    signal?.throwIfAborted();
    // The client's message contains the address.
    const cause = error instanceof S3ServiceError ? new Error(`the storage answered ${error.status}`) : error;
    throw new Problem('unavailable', { detail: 'Pictures cannot be kept at the moment.', cause });
  }
}
