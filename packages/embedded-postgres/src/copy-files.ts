import { createWriteStream } from 'node:fs';
import { chown, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Owner } from './run-as.ts';

interface CopyOptions {
  /** Whether a file or folder is copied; `path` begins below the source, with `/` between its names. */
  wants?(path: string): boolean;
  /** Who gets the copies, where that is not this process's user. */
  owner?: Owner | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Copies a folder for its owner's eyes alone, each file on the disk when it returns. What vanishes meanwhile is left
 * out, and what grows or shrinks is copied as it is met: PostgreSQL may write on.
 */
export async function copyFolder(source: string, target: string, options: CopyOptions = {}): Promise<void> {
  await copyEntries(source, target, '', options);
}

async function copyEntries(
  source: string,
  target: string,
  prefix: string,
  options: CopyOptions,
): Promise<void> {
  await makePrivateFolder(target, options.owner);
  for (const entry of await listEntries(source)) {
    options.signal?.throwIfAborted();
    const path = prefix + entry.name;
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (options.wants?.(path) === false) continue;
    // Neither sockets nor links: PostgreSQL's folder has none that another server needs.
    if (entry.isDirectory()) await copyEntries(from, to, `${path}/`, options);
    else if (entry.isFile()) await copyFile(from, to, options);
  }
}

/** Read to its end, wherever that is by then: the system's own copying trusts the size that it saw first. */
export async function copyFile(
  from: string,
  to: string,
  { owner, signal }: Pick<CopyOptions, 'owner' | 'signal'> = {},
): Promise<void> {
  const source = await open(from).catch(ignoreMissing);
  if (!source) return;
  await pipeline(source.createReadStream(), createWriteStream(to, { mode: 0o600, flush: true }), {
    ...(signal && { signal }),
  });
  if (owner) await chown(to, owner.uid, owner.gid);
}

/** A folder with mode 0700. May be repeated. */
export async function makePrivateFolder(folder: string, owner: Owner | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (owner) await chown(folder, owner.uid, owner.gid);
}

async function listEntries(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
