import { readFile } from 'node:fs/promises';
import type { Font } from 'fontkit';

/** The faces of a paper: text, what stands out of it, and the words of the brand. */
export const FACES = {
  text: 'IBMPlexSans-Regular.ttf',
  strong: 'IBMPlexSans-SemiBold.ttf',
  display: 'MonaSans-Display.ttf',
} as const;
export type Face = keyof typeof FACES;

export interface Fonts {
  files: Readonly<Record<Face, Buffer>>;
  /** The text with a question mark for every character that the faces of text do not have, as those of Chinese. */
  makePrintable(text: string): string;
}

const folder = new URL('../../assets/fonts/', import.meta.url);

/** Reads the font files. They have the letters of Latin, Greek and Cyrillic; their licences stand beside them. */
export async function readFonts(): Promise<Fonts> {
  const [fontkit, text, strong, display] = await Promise.all([
    import('fontkit'),
    ...Object.values(FACES).map((file) => readFile(new URL(file, folder))),
  ] as const);
  if (!text || !strong || !display) throw new Error('A font of the papers is missing.');
  const face = fontkit.create(text) as Font;
  return {
    files: { text, strong, display },
    makePrintable: (given) =>
      Array.from(given, (character) =>
        character === '\n' || face.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : '?',
      ).join(''),
  };
}
