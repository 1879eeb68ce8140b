import { readFile } from 'node:fs/promises';
import { takeMarksOff, toPrintedLetters } from '@parts-forge/contract/printed-letters';
import type { Font } from 'fontkit';

export const FACES = {
  text: 'IBMPlexSans-Regular.ttf',
  strong: 'IBMPlexSans-SemiBold.ttf',
  display: 'MonaSans-Display.ttf',
} as const;
export type Face = keyof typeof FACES;

export interface Fonts {
  files: Readonly<Record<Face, Buffer>>;
  /**
   * Removes invisible characters. A letter without a glyph becomes its base letter or a question mark
   * (Chinese).
   */
  makePrintable(text: string): string;
  /** The display face has only the letters of the demonstration's name and of the papers' kinds. */
  canDisplay(text: string): boolean;
}

const folder = new URL('../../assets/fonts/', import.meta.url);

/** They cover Latin, Greek and Cyrillic; their licences stand beside them. */
export async function readFonts(): Promise<Fonts> {
  const [fontkit, text, strong, display] = await Promise.all([
    import('fontkit'),
    ...Object.values(FACES).map((file) => readFile(new URL(file, folder))),
  ] as const);
  if (!text || !strong || !display) throw new Error('A font of the invoices is missing.');
  const hasLetters = (file: Buffer) => {
    const face = fontkit.create(file) as Font;
    return (letters: string) =>
      Array.from(letters).every((each) => face.hasGlyphForCodePoint(each.codePointAt(0) ?? 0));
  };
  const has = hasLetters(text);
  const replace = (character: string) => {
    if (character === '\n' || has(character)) return character;
    const base = takeMarksOff(character);
    return has(base) ? base : '?';
  };
  return {
    files: { text, strong, display },
    canDisplay: hasLetters(display),
    makePrintable: (given) => Array.from(toPrintedLetters(given), replace).join(''),
  };
}
