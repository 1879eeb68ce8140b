import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Problem } from '#src/platform/core/problem.ts';

/** In memory, megabytes would cause garbage collections. */
export type Original = Awaited<ReturnType<typeof saveOriginal>>;

/** The PID identifies files of killed processes. */
const createName = () => `parts-forge-upload-${process.pid}-${randomUUID()}`;
/** The random part begins with eight hexadecimal digits, never with a PID. */
const withProcessId = /^parts-forge-upload-(\d+)-[\da-f]{8}-/;

export async function withOriginalFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const file = path.join(tmpdir(), createName());
  try {
    return await work(file);
  } finally {
    await rm(file, { force: true });
  }
}

/** Before this process accepts uploads. Never throws. */
export async function removeAbandonedOriginals(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.allSettled(
    names
      .filter((name) => isAbandoned(Number(withProcessId.exec(name)?.[1])))
      .map((name) => rm(path.join(tmpdir(), name), { force: true })),
  );
}

/** @param processId NaN for foreign files; this process's id belongs to an earlier process */
function isAbandoned(processId: number): boolean {
  if (processId === process.pid) return true;
  try {
    return Number.isInteger(processId) && !process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Writes and hashes piece by piece, to keep the event loop free.
 * @throws Problem `unavailable` when writing fails; the error of `parts`
 */
export async function saveOriginal(file: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
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
  return { file, /** SHA-256. */ hash: hash.digest('hex'), bytes };
}

function refuse(cause: unknown): never {
  throw new Problem('unavailable', { detail: 'Pictures cannot be taken in at the moment.', cause });
}
