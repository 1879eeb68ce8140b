import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

export interface ZippedFile {
  name: string;
  writtenAt: Date;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

type Format = 'stored' | 'deflated';

/** fflate writes no ZIP64, which larger archives need. */
const MAX_FILES = 0xffff;
const MAX_BYTES = 0xffff_ffff;

/**
 * Writes one file after the other, as fast as the archive is read.
 * @param format `stored` for content that is compressed already
 * @throws Error above 65,535 files or 4 GB, as no reader would open the archive
 */
export async function* writeZip(
  files: AsyncIterable<ZippedFile> | Iterable<ZippedFile>,
  format: Format,
): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  let bytes = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    bytes += chunk.length;
    written.push(chunk);
  });
  let count = 0;
  for await (const { name, writtenAt, content } of files) {
    count += 1;
    const entry = format === 'stored' ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    entry.mtime = writtenAt;
    zip.add(entry);
    for await (const chunk of content) {
      entry.push(chunk);
      yield* written.splice(0);
    }
    entry.push(new Uint8Array(), true);
    if (count > MAX_FILES || bytes > MAX_BYTES) throw new Error('The archive is too large for a ZIP.');
  }
  zip.end();
  yield* written;
}
