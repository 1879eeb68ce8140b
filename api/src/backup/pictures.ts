import { copyFile, mkdir, readdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { giveToOwner } from '@parts-forge/embedded-postgres/data-folder';
import { readPictureType } from '#src/images/picture-files.ts';

/**
 * Existing pictures stay, as a name never changes its content.
 * @returns the number of pictures in `from`
 * @throws the system's error; the signal's reason
 */
export async function copyPictures(from: string, to: string, signal: AbortSignal): Promise<number> {
  const names = (await listNames(from)).filter((name) => readPictureType(name) !== null);
  if (names.length === 0) return 0;
  if (await mkdir(to, { recursive: true, mode: 0o700 })) giveToOwner(to);
  for (const name of names) {
    signal.throwIfAborted();
    const [source, target] = [path.join(from, name), path.join(to, name)];
    if ((await findSize(target)) === (await findSize(source))) continue;
    // A running shop must not show a partial file.
    await copyFile(source, `${target}.new`);
    giveToOwner(`${target}.new`);
    await rename(`${target}.new`, target);
  }
  return names.length;
}

/** @param hashes of the originals */
export async function findMissingPictures(folder: string, hashes: readonly string[]): Promise<string[]> {
  const present = new Set((await listNames(folder)).map((name) => name.split('-')[0]));
  return hashes.filter((hash) => !present.has(hash));
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(ignoreMissing([]));
const findSize = (file: string): Promise<number | null> =>
  stat(file)
    .then(({ size }) => size)
    .catch(ignoreMissing(null));

const ignoreMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return instead;
    throw error;
  };
