import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import type { Config } from '#src/platform/core/config.ts';
import { picturesFolder, readCatalogue } from './assets.ts';

export type DemoPictures = Awaited<ReturnType<typeof copyDemoPictures>>;

/** Also restores missing files; idempotent. @returns the pictures of each part by its slug */
export async function copyDemoPictures(config: Pick<Config, 'dataDir'>) {
  const folder = resolvePicturesFolder(config);
  const slugs = (await readCatalogue()).map(({ slug }) => slug);
  await mkdir(folder, { recursive: true });
  const [present, ready] = await Promise.all([readdir(folder), readdir(picturesFolder)]);
  const presentNames = new Set(present);
  const pictures = new Map<string, { hash: string; bytes: number; width: number; height: number }>();
  for (const slug of slugs) {
    const original = await readFile(path.join(picturesFolder, `${slug}-1280.webp`));
    const hash = createHash('sha256').update(original).digest('hex');
    pictures.set(slug, { hash, bytes: original.length, width: 1000, height: 1000 });
    for (const file of ready.filter((name) => name.startsWith(`${slug}-`))) {
      const name = hash + file.slice(slug.length);
      if (!presentNames.has(name)) await copyFile(path.join(picturesFolder, file), path.join(folder, name));
    }
  }
  return pictures;
}
