import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
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

/** With the id of the process, so that a file whose process was killed is known as such. */
const makeName = () => `parts-forge-upload-${process.pid}-${randomUUID()}`;
/** Eight hexadecimal digits begin the random part: one of decimal ones alone is no process's id. */
const withProcessId = /^parts-forge-upload-(\d+)-[\da-f]{8}-/;

/** Gives a name for a file of its own in the system's temporary folder, and removes what is there after the work. */
export async function withOriginalFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const file = path.join(tmpdir(), makeName());
  try {
    return await work(file);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Removes the files of processes that were killed before they could. Called before this process takes uploads; never
 * throws, as what cannot be removed does no harm.
 */
export async function removeAbandonedOriginals(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.allSettled(
    names
      .filter((name) => isAbandoned(Number(withProcessId.exec(name)?.[1])))
      .map((name) => rm(path.join(tmpdir(), name), { force: true })),
  );
}

/** @param processId NaN for another's file. This process has begun just now: a file with its id is of one before it. */
function isAbandoned(processId: number): boolean {
  if (processId === process.pid) return true;
  try {
    return Number.isInteger(processId) && !process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
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
