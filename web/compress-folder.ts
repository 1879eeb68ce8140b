import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipWithCallback } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipWithCallback);

const compressible = /\.(html|js|css|svg|json|webmanifest|txt|xml|map)$/;

/** Writes `.br` and `.gz` at the strongest level: compressed once, sent often. Skips files that have them. */
export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const done = new Set(names);
  // The end of the build removes `.vite`.
  const waiting = names.filter(
    (name) => compressible.test(name) && !done.has(`${name}.br`) && !name.startsWith('.vite'),
  );
  await Promise.all(waiting.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  const compressed = await brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  if (compressed.length >= bytes.length) return;
  await writeFile(`${path}.gz`, await gzip(bytes, { level: 9 }));
  await writeFile(`${path}.br`, compressed);
}
