import type { PdfCell, PdfRow } from '@parts-forge/contract/files/pdf-lines';
import { FileError } from '@parts-forge/contract/files/table';
import { getDocumentProxy } from 'unpdf';
import type { ListFile } from './read-file.ts';

const MAX_PAGES = 50;
const MAX_ROWS = 2000;
const MAX_LETTERS = 200_000;
/** In letters; no number is longer. */
const MAX_CELL = 200;

/**
 * The rows of text, from top to bottom.
 * @throws FileError for a PDF that is encrypted, cut, damaged, too long, or has no text
 */
export async function readPdf(content: Buffer): Promise<ListFile> {
  // pdf.js reads what is left of a cut file.
  if (!content.subarray(-2048).includes('%%EOF'))
    throw new FileError('This PDF is cut: its end is missing. Get it once more.');
  try {
    return await readPages(content);
  } catch (error) {
    if (error instanceof FileError) throw error;
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw new FileError(
      isLocked
        ? 'This PDF is encrypted. Save it without a password.'
        : 'This PDF is damaged. Get it once more.',
    );
  }
}

/** Any page of a damaged PDF may fail. */
async function readPages(content: Buffer): Promise<ListFile> {
  const document = await getDocumentProxy(new Uint8Array(content), { verbosity: 0 });
  const pages = document.numPages;
  if (pages > MAX_PAGES)
    throw new FileError(
      `This PDF has ${pages} pages. At most ${MAX_PAGES} are read: choose those of the list.`,
    );
  const rows: PdfRow[] = [];
  for (let number = 1; number <= pages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    rows.push(...joinRows(items as PdfText[]));
    if (rows.length > MAX_ROWS) throw new FileError(`This PDF has more than ${MAX_ROWS} rows. Split it.`);
    page.cleanup();
  }
  const texts = rows.flatMap(({ cells }) => cells.map(({ text }) => text));
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_LETTERS)
    throw new FileError('This list has too much text. Leave out what you do not order.');
  if (rows.length === 0) throw new FileError('This PDF is a picture of a list: it has no text.');
  return { kind: 'pdf', notes: [], lines: rows };
}

interface PdfText {
  str: string;
  /** A matrix; the last two are the place from left and below. */
  transform: number[];
  width: number;
}

/** As shares of the letters' size: one row differs by less in height, one cell in gaps. */
const [SAME_ROW, SAME_WORD, SAME_CELL] = [0.4, 0.1, 0.6];

const isFigure = (text: string): boolean => /\p{Nd}/u.test(text) && !/[^\p{Sc}\p{Nd}\s.,'’%-]/u.test(text);

/** pdf.js joins figures of narrow columns. Three digits after a space may be a group of thousands. */
function splitFigures({ text, left, right }: PdfCell): PdfCell[] {
  const figures = [...text.matchAll(/\S+(?:\s+\d{3}(?!\d)\S*)*/g)];
  if (figures.length < 2 || !figures.every(([figure]) => isFigure(figure))) return [{ text, left, right }];
  const letter = (right - left) / text.length;
  return figures.map(({ 0: figure, index }) => ({
    text: figure,
    left: left + index * letter,
    right: left + (index + figure.length) * letter,
  }));
}

function joinRows(items: readonly PdfText[]): PdfRow[] {
  const texts = items.flatMap(
    ({ str: text, transform: [, turned = 0, , size = 0, left = 0, height = 0], width }) =>
      text.trim() !== '' && turned === 0 && size > 0
        ? splitFigures({ text, left, right: left + width }).map((cell) => ({ ...cell, size, height }))
        : [],
  );
  const rows: (typeof texts)[] = [];
  for (const item of texts.toSorted((a, b) => b.height - a.height)) {
    const [first] = rows.at(-1) ?? [];
    if (first && first.height - item.height < SAME_ROW * item.size) rows.at(-1)?.push(item);
    else rows.push([item]);
  }
  return rows.map((row) => {
    const cells: PdfCell[] = [];
    for (const { text, size, left, right } of row.toSorted((a, b) => a.left - b.left)) {
      const last = cells.at(-1);
      const gap = left - (last?.right ?? 0);
      // Spreadsheets leave a narrow gap between columns.
      const areFigures = isFigure(text) && isFigure(last?.text ?? '');
      if (last && gap < (areFigures ? SAME_WORD : SAME_CELL) * size) {
        last.text += (gap > SAME_WORD * size ? ' ' : '') + text;
        last.right = right;
      } else cells.push({ text, left, right });
    }
    return {
      cells: cells.map(({ text, left, right }) => ({
        text: text.replace(/\s+/g, ' ').trim().slice(0, MAX_CELL),
        left: Math.round(left),
        right: Math.round(right),
      })),
    };
  });
}
