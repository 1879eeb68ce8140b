/**
 * Creates the pages' own pictures from the originals:
 *  node web/scripts/make-pictures.mjs <folder with hero.webp, hero-portrait.webp, not-found.webp>
 * The results are committed, as encoding takes longer than the rest of a build.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const from = process.argv[2];
const to = join(import.meta.dirname, '../app/pictures');
const sizes = { hero: [780, 1280, 2560], 'hero-portrait': [390, 780, 1200], 'not-found': [480, 960] };

await mkdir(to, { recursive: true });
for (const [name, widths] of Object.entries(sizes)) {
  for (const width of widths) {
    const picture = sharp(join(from, `${name}.webp`)).resize({ width, withoutEnlargement: true });
    const avif = await picture
      .clone()
      .avif({ quality: 60, effort: 6 })
      .toFile(join(to, `${name}-${width}.avif`));
    const webp = await picture
      .clone()
      .webp({ quality: 82, effort: 6 })
      .toFile(join(to, `${name}-${width}.webp`));
    console.log(name, width, avif.width, avif.height, avif.size, webp.size);
  }
}
