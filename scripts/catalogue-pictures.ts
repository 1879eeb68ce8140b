// Creates the demo's smaller pictures from `<slug>-1280.webp`.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { encodePicture } from '../api/src/images/encode-picture.ts';

const folder = new URL('../api/assets/products/', import.meta.url);
for (const file of await readdir(folder)) {
  if (!file.endsWith('-1280.webp')) continue;
  const { files } = await encodePicture(await readFile(new URL(file, folder)));
  for (const [ending, bytes] of files) {
    if (ending !== '-1280.webp') await writeFile(new URL(file.replace('-1280.webp', ending), folder), bytes);
  }
}
