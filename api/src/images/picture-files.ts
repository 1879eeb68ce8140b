import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { IMAGE_WIDTHS } from '@parts-forge/contract/bounds';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';

const fileName = new RegExp(`^([0-9a-f]{64})-(?:${IMAGE_WIDTHS.join('|')})\\.(webp|avif)$`);

/** The endings of the files of every picture. */
export const PICTURE_ENDINGS: readonly string[] = IMAGE_WIDTHS.flatMap((width) => [
  `-${width}.webp`,
  `-${width}.avif`,
]);

/** Where the files of the pictures are. */
export const resolvePicturesFolder = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'images');

/** The kind of a picture's file by its name; null for a name that no picture has. */
export const readPictureType = (name: string): string | null => {
  const [, , format] = fileName.exec(name) ?? [];
  return format ? `image/${format}` : null;
};

/**
 * A file of a picture; null when it is not there.
 * @throws the system's own error when it is there and cannot be read
 */
export async function readPicture(folder: string, name: string): Promise<Buffer | null> {
  try {
    return await readFile(path.join(folder, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The endings of a picture whose files are not in the folder, or empty, as a power cut may have left them. */
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
 * Writes the files of a picture that are missing. Those that are there stay as they are: a later encoder makes other
 * bytes, and a name stands for one picture for ever.
 * @throws Problem `unavailable` when the folder cannot be written to
 */
export async function writePictures(
  folder: string,
  hash: string,
  missing: readonly string[],
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const [ending, bytes] of files) {
      if (missing.includes(ending)) await writeAtomically(path.join(folder, hash + ending), bytes);
    }
  } catch (error) {
    throw new Problem('unavailable', { detail: 'Pictures cannot be kept at the moment.', cause: error });
  }
}

/** Puts a file in its place whole or not at all: a reader never sees a part of it. */
async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    // Else a power cut after the rename may leave the file empty.
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
