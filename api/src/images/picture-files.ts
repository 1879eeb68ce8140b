import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { IMAGE_WIDTHS } from '@parts-forge/contract/calls/bounds';
import { giveToOwner } from '@parts-forge/embedded-postgres/data-folder';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';

const fileName = new RegExp(`^([0-9a-f]{64})-(?:${IMAGE_WIDTHS.join('|')})\\.(webp|avif)$`);

export const PICTURE_ENDINGS: readonly string[] = IMAGE_WIDTHS.flatMap((width) => [
  `-${width}.webp`,
  `-${width}.avif`,
]);

export const resolvePicturesFolder = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'images');

export const readPictureType = (name: string): string | null => {
  const [, , format] = fileName.exec(name) ?? [];
  return format ? `image/${format}` : null;
};

/** Null for a missing file. @throws the system's error for an unreadable one */
export async function readPicture(folder: string, name: string): Promise<Buffer | null> {
  try {
    return await readFile(path.join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Counts empty files, which a power cut may leave. */
export async function findMissingEndings(folder: string, hash: string): Promise<string[]> {
  const isMissing = await Promise.all(
    PICTURE_ENDINGS.map((ending) =>
      stat(path.join(folder, hash + ending)).then(
        ({ size }) => size === 0,
        () => true,
      ),
    ),
  );
  return PICTURE_ENDINGS.filter((_, index) => isMissing[index]);
}

/**
 * Writes missing files only: a name always means the same bytes, and encoders differ.
 * @throws Problem `unavailable` when the folder is not writable
 */
export async function writePictures(
  folder: string,
  hash: string,
  missing: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  try {
    if (await mkdir(folder, { recursive: true })) giveToOwner(folder);
    for (const [ending, bytes] of files) {
      if (missing.includes(ending)) await writeAtomically(path.join(folder, hash + ending), bytes);
    }
  } catch (error) {
    throw new Problem('unavailable', { detail: 'Pictures cannot be kept at the moment.', cause: error });
  }
}

/** Readers never see a partial file. */
async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    // Without it, a power cut after the rename may leave the file empty.
    await writeFile(temporary, bytes, { flush: true });
    giveToOwner(temporary);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
