import { readFile } from 'node:fs/promises';
import { takeMarksOff, toPrintedLetters } from '@parts-forge/contract/text/printed-letters';
import type { Font, GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';

export const FACES = {
  text: 'IBMPlexSans-Regular.ttf',
  strong: 'IBMPlexSans-SemiBold.ttf',
  display: 'MonaSans-Display.ttf',
} as const;
export type Face = keyof typeof FACES;

export interface Fonts {
  faces: Readonly<Record<Face, Font>>;
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
  const fontkit = await import('fontkit');
  const open = async (file: string) =>
    cacheLayouts(keepCodePoints(fontkit.create(await readFile(new URL(file, folder))) as Font));
  const [text, strong, display] = await Promise.all([
    open(FACES.text),
    open(FACES.strong),
    open(FACES.display),
  ]);
  const hasLetters = (face: Font) => (letters: string) =>
    Array.from(letters).every((each) => face.hasGlyphForCodePoint(each.codePointAt(0) ?? 0));
  const has = hasLetters(text);
  const replace = (character: string) => {
    if (character === '\n' || has(character)) return character;
    const base = takeMarksOff(character);
    return has(base) ? base : '?';
  };
  return {
    faces: { text, strong, display },
    canDisplay: hasLetters(display),
    // fontkit draws i with a dot above by the glyph of ı, whose text would then be an i.
    makePrintable: (given) =>
      Array.from(toPrintedLetters(given.replaceAll('i\u0307', 'i')), replace).join(''),
  };
}

/**
 * fontkit keeps each glyph with the code points of its first use, and those of a part of `ü` are none. A copy
 * for each use gives a PDF its own text, also after other papers.
 */
function keepCodePoints(font: Font): Font {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) =>
    codePoints ? Object.assign(Object.create(getGlyph(id)), { codePoints }) : getGlyph(id);
  return font;
}

const CACHED_LAYOUTS = 300;

/** Laying out text is most of a paper's time, and most texts recur: measured, drawn, on the next paper. */
function cacheLayouts(font: Font): Font {
  const runs = new LRUCache<string, GlyphRun>({ max: CACHED_LAYOUTS });
  const layout = font.layout.bind(font);
  font.layout = (text, ...more) => {
    const key = JSON.stringify([text, more]);
    const run = runs.get(key) ?? layout(text, ...more);
    runs.set(key, run);
    // pdfkit scales positions in place.
    const positions = run.positions.map((position) => ({ ...position }));
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions });
  };
  return font;
}
