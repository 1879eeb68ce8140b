/**
 * Decodes UTF-8, UTF-16 with a byte-order mark (Excel's "Unicode Text"), else Windows-1252 (Excel's CSV).
 * @throws Error with a sentence, for several files or one that the browser cannot read
 */
export async function readTextFile(files: readonly File[]): Promise<string> {
  const [file] = files;
  if (!file) throw new Error('This is neither a file nor text.');
  if (files.length > 1) throw new Error(`These are ${files.length} files. Choose one at a time.`);
  const bytes = new Uint8Array(await readBytes(file));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Rejects for a folder, and for a file that was moved, changed or is not on this device. */
async function readBytes(file: File): Promise<ArrayBuffer> {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Error(`“${file.name}” cannot be read. Is it still there, and on this device? Choose it again.`);
  }
}

/** It starts like a ZIP file or an old workbook. */
export const isWorkbook = (text: string): boolean =>
  text.startsWith('PK\u0003\u0004') || text.startsWith('ÐÏ\u0011à');
