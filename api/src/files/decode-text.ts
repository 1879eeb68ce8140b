/**
 * By the byte-order mark (Excel's "Unicode Text" has one), else as UTF-8, as the header says, or as
 * Windows-1252 (Excel's CSV).
 * @param declared charset of the header; ignored if unknown or contradicted by the bytes
 */
export function decodeText(bytes: Uint8Array, declared = ''): { text: string; charset: string } {
  const [first, second] = bytes;
  // A mark, or a letter of ASCII without one.
  const isLittle = first === 0xff ? second === 0xfe : first !== 0 && second === 0;
  const isBig = first === 0xfe ? second === 0xff : first === 0 && second !== 0;
  const utf = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8';
  for (const charset of [utf, declared]) {
    try {
      return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), charset };
    } catch {}
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' };
}
