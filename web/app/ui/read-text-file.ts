/**
 * The text of a file: UTF-8, UTF-16 with its byte-order mark as Excel's "Unicode Text" has it, else Windows-1252, in
 * which Excel saves a CSV.
 */
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

/** Whether a text is in truth an Excel workbook: it begins as a ZIP file, or as older workbooks do. */
export const isWorkbook = (text: string): boolean =>
  text.startsWith('PK\u0003\u0004') || text.startsWith('ÐÏ\u0011à');
