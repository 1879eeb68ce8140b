import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';

/** A file that the shop reads, with the type that its bytes show. @throws as `readTextFile` */
export async function readListFile(files: readonly File[]): Promise<File> {
  const text = await readTextFile(files, isTable);
  const table = text.startsWith('%PDF-') ? 'application/pdf' : WORKBOOK_TYPE;
  return new File([...files], files[0]?.name ?? '', { type: isTable(text) ? table : 'text/plain' });
}

const isTable = (text: string): boolean => isWorkbook(text) || text.startsWith('%PDF-');

/**
 * Decodes UTF-8, UTF-16 with a byte-order mark (Excel's "Unicode Text"), else Windows-1252 (Excel's CSV).
 * @throws Error with a sentence, for several files or one that the browser cannot read
 */
async function readTextFile(files: readonly File[], isAllowed: (text: string) => boolean): Promise<string> {
  const [file] = files;
  if (!file) throw new Error('This is neither a file nor text.');
  if (files.length > 1) throw new Error(`These are ${files.length} files. Choose one at a time.`);
  if (file.size > MAX_FILE_BYTES)
    throw new Error(`“${file.name}” is larger than 5 MB: it is no list of parts.`);
  const text = decode(new Uint8Array(await readBytes(file)));
  if (!isAllowed(text) && isForeign(text))
    throw new Error(`“${file.name}” has no lines of text. Choose a CSV, XLSX, PDF or text file.`);
  return text;
}

const MAX_FILE_BYTES = 5_000_000;

/** Rich text, an archive such as Word's, and by its control letters a picture. */
const isForeign = (text: string): boolean =>
  ['{\\rtf', 'PK\u0003\u0004'].some((start) => text.startsWith(start)) ||
  [...text.slice(0, 4096)].some((letter) => letter < ' ' && !'\t\n\v\f\r\u001a'.includes(letter));

function decode(bytes: Uint8Array): string {
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

/** It starts like a ZIP file or an old workbook, and is no document of Word. */
const isWorkbook = (text: string): boolean =>
  (text.startsWith('PK\u0003\u0004') || text.startsWith('ÐÏ\u0011à')) &&
  !text.includes('word/document.xml') &&
  !text.includes('W\0o\0r\0d\0D\0o\0c');
