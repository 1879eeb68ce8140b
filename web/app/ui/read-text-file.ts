/** Decodes UTF-8, UTF-16 with a byte-order mark (Excel's "Unicode Text"), else Windows-1252 (Excel's CSV). */
export async function readTextFile(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** It starts like a ZIP file or an old workbook. */
export const isWorkbook = (text: string): boolean =>
  text.startsWith('PK\u0003\u0004') || text.startsWith('ÐÏ\u0011à');
