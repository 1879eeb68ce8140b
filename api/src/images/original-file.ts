import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Problem } from '#src/platform/core/problem.ts';

/** What was uploaded, as it came: in a file, as megabytes that stay in memory for seconds make the shop collect garbage. */
export interface Original {
  file: string;
  /** SHA-256, in hexadecimal. */
  hash: string;
  /** How long it is. */
  bytes: number;
}

/** Gives a name for a file of its own in the system's temporary folder, and removes what is there after the work. */
export async function withOriginalFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const file = path.join(tmpdir(), `parts-forge-upload-${randomUUID()}`);
  try {
    return await work(file);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Writes a new file piece by piece: the next one is taken when the last one is written, and each is hashed by itself, so
 * that a large file holds nobody up.
 * @throws Problem `unavailable` when it cannot be written; what the parts end with
 */
export async function saveOriginal(
  file: string,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Original> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(file, 'wx', 0o600).catch(refuse);
  try {
    for await (const part of parts) {
      hash.update(part);
      bytes += part.length;
      await handle.appendFile(part).catch(refuse);
    }
  } finally {
    await handle.close();
  }
  return { file, hash: hash.digest('hex'), bytes };
}

function refuse(cause: unknown): never {
  throw new Problem('unavailable', { detail: 'Pictures cannot be taken in at the moment.', cause });
}
