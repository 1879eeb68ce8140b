import { MAX_STOCK, MIN_PART_NUMBER } from '../calls/bounds.ts';
import type { UnreadBatchLine } from '../orders/batch.ts';
import { type ListColumn, mayBeName, type ReadLine, type ReadList } from '../orders/batch-lines.ts';
import { foldPartName } from '../products/part-rules.ts';
import { columnsOf } from './column-names.ts';
import {
  findPriceMarks,
  isPack,
  readFilePieces,
  readFilePrice,
  toPlainDigits,
  withoutUnit,
} from './number-text.ts';

/** The rows of a PDF that order a part, by proof alone: what is not certain is left unread. */

/** `left` and `right` in points. */
export interface PdfCell {
  text: string;
  left: number;
  right: number;
}
export interface PdfRow {
  /** From left to right. */
  cells: readonly PdfCell[];
}

/** A proof compares each three columns in all rows, and reading takes the time of the whole shop. */
const MAX_COMPARED = 2_000_000;
export const MAX_CELLS = 30;

/** What may be a part's number or name, by `foldPartName`. */
export const listNumbers = (rows: readonly PdfRow[]): string[] => [
  ...new Set(rows.flatMap(({ cells }) => cells.flatMap(({ text }) => findNumbers(text)))),
];

function findNumbers(text: string): string[] {
  const words = [text, ...text.split(/\s+/)].map((word) => word.replace(/^[(#]|[),:;]$/g, ''));
  const numbers = new Set(words.map(foldPartName));
  return [...numbers].filter((number) => number.length >= MIN_PART_NUMBER && /\d/.test(number));
}

type FindPart = (number: string) => string | null;

/**
 * Numbers may stand in a row below or above their figures, if the amounts prove all their quantities.
 * @param findPart names the part of a number or name; null for an unknown one. A number of digits alone counts
 *   only where the head says so
 * @param choice one of the `columns`, from 1; 0 for none
 */
export function readPdfLines(rows: readonly PdfRow[], findPart: FindPart, choice = 0): ReadList {
  const joined = joinFigures(rows, findPart, -1) ?? joinFigures(rows, findPart, 1);
  const read = joined ?? readProved(rows, findPart);
  const columns = read.lines.length > 0 ? [] : findQuantities(rows, findOrdered(rows, findPart), read);
  const chosen = columns[choice - 1];
  const { proof, ...list } = chosen ? readProved(rows, findPart, chosen) : read;
  return { ...list, columns };
}

/** Columns of whole numbers, if no row says which one is the quantity. */
function findQuantities(
  rows: readonly PdfRow[],
  found: readonly Ordered[],
  { unread }: Pick<ReadList, 'unread'>,
): (ListColumn & Column)[] {
  const marks = findMarks(found);
  const { columns, cells } = tabulate(found);
  const [first] = found;
  if (!first || !unread.some(({ reason }) => reason === unproved.reason)) return [];
  const all = findColumns(found.flatMap((row) => row.cells));
  // Without a name for each column, none is certain.
  const names = rows[first.line - 2]?.cells ?? [];
  return columns.flatMap((column, place) => {
    const isWhole = cells.every((row) => row[place] && Number.isInteger(readPiecesOf(row[place], marks)));
    if (!isWhole) return [];
    const name = names.length === all.length && names[all.findIndex((each) => distance(each, column) === 0)];
    return { ...column, name: name ? toReadingOrder(name.text) : '', example: cells[0]?.[place]?.text ?? '' };
  });
}

const hasFigure = ({ text }: PdfCell): boolean => /\p{Nd}/u.test(text);

/** @returns the place of the next row with a figure */
function findFigures(rows: readonly PdfRow[], place: number, step: number): number {
  let next = place + step;
  while (rows[next]?.cells.some(hasFigure) === false) next += step;
  return next;
}

/**
 * Null unless all numbers that stand alone have amounts as a proof, and no line's figures are left at the other
 * end: a row too far, each number has the figures of the next one.
 * @param step -1: a number's figures stand above it
 */
function joinFigures(rows: readonly PdfRow[], findPart: FindPart, step: number): ProvedLines | null {
  const alone = findOrdered(rows, findPart).filter(({ figures }) => figures.length === 0);
  const last = alone.at(step === 1 ? 0 : -1);
  if (!last) return null;
  const joined = [...rows];
  for (const { line, cells } of alone) {
    const place = findFigures(rows, line - 1, step);
    const beside = rows[place];
    if (!beside || readHead(beside.cells)) return null;
    joined[line - 1] = { cells: [...beside.cells, ...cells].toSorted((a, b) => a.left - b.left) };
    joined[place] = { cells: [] };
  }
  const read = readProved(joined, findPart);
  const lines = new Set(read.lines.map(({ line }) => line));
  if (!read.proof || !alone.every(({ line }) => lines.has(line))) return null;
  const { quantity, price } = read.proof;
  const end = rows[findFigures(rows, last.line - 1, -step)]?.cells.filter(hasFigure) ?? [];
  const marks = findMarks(findOrdered(joined, findPart));
  const total = read.lines.reduce((sum, line) => sum + line.quantity, 0);
  const mayOrder = (cell: PdfCell) => ![total, Number.NaN].includes(readPiecesOf(cell, marks));
  // Below a list, totals have all pieces, but no price.
  const isLeft = end.some((cell) => isIn(cell, price) || (isIn(cell, quantity) && mayOrder(cell)));
  return isLeft ? null : read;
}

const findMarks = (found: readonly Ordered[]): Marks =>
  findPriceMarks(found.flatMap(({ cells }) => cells.map(({ text }) => plainPrice(text))));

interface ProvedLines extends Omit<ReadList, 'columns'> {
  proof: Proof | null;
}

/** @param chosen the column of the quantity, if a customer said it */
function readProved(rows: readonly PdfRow[], findPart: FindPart, chosen?: Column): ProvedLines {
  const found = findOrdered(rows, findPart);
  const marks = findMarks(found);
  const proof = chosen ? null : proveQuantity(found, rows, marks);
  const proved = chosen ?? proof?.quantity;
  const places = placeHeads(found);
  const lines: ReadLine[] = [];
  const quantities = [...places.values(), ...(proved ? [proved] : [])];
  const unread = findUnknown(rows, found, quantities, marks);
  for (const row of found) {
    const { line, number } = row;
    const text = writeRow(row);
    const read = number === null ? twoNumbers : readQuantity(row, proved, places, marks);
    if (typeof read === 'object') unread.push({ line, text, ...read });
    else lines.push({ line, text, number: String(number), quantity: read });
  }
  const head = chosen ? undefined : found.find(({ head }) => head)?.head?.quantity.text;
  const because = proof?.because ?? (head && `The pieces stand below “${toReadingOrder(head)}”.`);
  return { lines, unread, proof, because: lines.length > 0 && because ? [because] : [] };
}

const writeRow = ({ cells }: PdfRow): string => cells.map(({ text }) => text).join('\t');

type Reason = Pick<UnreadBatchLine, 'reason'>;
const twoNumbers: Reason = { reason: 'This row has two part numbers.' };
const unproved: Reason = { reason: 'Nothing says which figure is the quantity.' };

interface Head {
  cells: readonly PdfCell[];
  number: PdfCell | null;
  quantity: PdfCell;
}

interface Ordered extends PdfRow {
  /** From 1. */
  line: number;
  /** Null where it has two. */
  number: string | null;
  numberCell: PdfCell;
  /** All but that of the number. */
  figures: readonly PdfCell[];
  head: Head | null;
}

/** Rows with a known number. */
function findOrdered(rows: readonly PdfRow[], findPart: FindPart): Ordered[] {
  let head: Head | null = null;
  return rows.flatMap((row, index): Ordered[] => {
    head = readHead(row.cells) ?? head;
    const below = head;
    const parts = new Map<string, { number: string; cell: PdfCell }>();
    const isNamed = (cell: PdfCell) => Boolean(below?.number && findHead(below, cell) === below.number);
    for (const cell of row.cells) {
      for (const number of findNumbers(cell.text)) {
        const part = findPart(number);
        if (part === null || !(isNamed(cell) || /\D/.test(number))) continue;
        // Beside a name, its number says the same.
        const known = parts.get(part)?.number ?? number;
        if (known === number) parts.set(part, { number, cell });
      }
    }
    const isElsewhere = below?.number && row.cells.some((cell) => isNamed(cell) && /\d/.test(cell.text));
    const [one, other] = [...parts.values()].filter(({ cell }) => !isElsewhere || isNamed(cell));
    const figures = row.cells.filter((cell) => cell !== one?.cell && /\p{Nd}/u.test(cell.text));
    const line = { ...row, line: index + 1, figures, head: below };
    return one ? [{ ...line, number: other ? null : one.number, numberCell: one.cell }] : [];
  });
}

/** Programs print narrow columns as one text. */
const position = /^\d{1,4}[.)]? /;

/** Rows with pieces in the column of the quantity, and an unknown number in that of the numbers. */
function findUnknown(
  rows: readonly PdfRow[],
  found: readonly Ordered[],
  quantities: readonly Column[],
  marks: Marks,
): UnreadBatchLine[] {
  const [column, another] = findColumns(found.map(({ numberCell }) => numberCell));
  const lines = new Set(found.map(({ line }) => line));
  if (!column || another) return [];
  const isCounted = found.every(
    ({ number, numberCell: { text } }) => position.test(text) && !position.test(number ?? ''),
  );
  return rows.flatMap((row, index): UnreadBatchLine[] => {
    const number = row.cells.find((cell) => isIn(cell, column) && /\d/.test(cell.text));
    const pieces = row.cells
      .filter((cell) => quantities.some((each) => isIn(cell, each)))
      .map((cell) => readPiecesOf(cell, marks))
      .filter(Number.isInteger);
    const [quantity, another] = pieces;
    if (!number || quantity === undefined || lines.has(index + 1)) return [];
    const name = isCounted ? number.text.replace(position, '') : number.text;
    const isAsked = another === undefined && mayBeName(name);
    return [
      {
        line: index + 1,
        text: writeRow(row),
        reason: 'No part has this number.',
        search: name,
        ...(isAsked && { asked: { name, quantity } }),
      },
    ];
  });
}

/** Programs print Arabic words as joined forms, from left to right. */
const toReadingOrder = (text: string): string =>
  /[\uFB50-\uFDFF\uFE70-\uFEFC]/.test(text) ? [...text.normalize('NFKC')].reverse().join('') : text;

/** Names the quantity once, and holds no figure. */
function readHead(cells: readonly PdfCell[]): Head | null {
  const { named, places } = columnsOf(cells.map(({ text }) => toReadingOrder(text)));
  const quantity = cells[places.add];
  const isHead =
    cells.length > 1 && named.add.length === 1 && cells.every(({ text }) => !/^\p{Sc}?\d/u.test(text));
  return quantity && isHead
    ? { cells, number: (named.number.length === 1 && cells[places.number]) || null, quantity }
    : null;
}

/** Where the figures of a column stand. */
type Column = Pick<PdfCell, 'left' | 'right'>;

const distance = (one: Column, other: Column): number =>
  Math.max(0, one.left - other.right, other.left - one.right);
const isIn = (cell: PdfCell, column: Column): boolean => distance(cell, column) === 0;

/** The name above a cell; null between two. */
function findHead({ cells }: Head, cell: PdfCell): PdfCell | null {
  const [near, next] = cells.toSorted((a, b) => distance(a, cell) - distance(b, cell));
  const far = next ? distance(next, cell) : 0;
  return near && far > 0 && distance(near, cell) <= far / 2 ? near : null;
}

/** Of the quantity, where each name of a head has one column below it. */
type Places = ReadonlyMap<Head, Column>;

/** Names may stand left of their figures, so that the nearest one is another column's. */
function placeHeads(found: readonly Ordered[]): Places {
  const places = new Map<Head, Column>();
  for (const [head, rows] of Map.groupBy(found, (row) => row.head)) {
    if (!head) continue;
    const { cells: names, quantity } = head;
    const columns = findColumns(rows.flatMap(({ cells }) => cells));
    const isBetween = ({ left, right }: PdfCell, index: number) =>
      right > (columns[index - 1]?.right ?? Number.NEGATIVE_INFINITY) &&
      left < (columns[index + 1]?.left ?? Number.POSITIVE_INFINITY);
    const column = columns[names.indexOf(quantity)];
    if (column && names.length === columns.length && names.every(isBetween)) places.set(head, column);
  }
  return places;
}

function isBelow(cell: PdfCell, head: Head, places: Places): boolean {
  const column = places.get(head);
  return column ? isIn(cell, column) : findHead(head, cell) === head.quantity;
}

const currency = /^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/gu;

/** In the digits of ASCII. */
const plainPrice = (text: string): string => toPlainDigits(text).replace(currency, '');

type Marks = ReadonlySet<string>;
const readPiecesOf = ({ text }: PdfCell, marks: Marks): number =>
  readFilePieces(withoutUnit(toPlainDigits(text)), marks);
const readPriceOf = ({ text }: PdfCell, marks: Marks): number => readFilePrice(plainPrice(text), marks);

interface Proof {
  quantity: Column;
  price: Column;
  because: string;
}
function readQuantity(
  row: Ordered,
  column: Column | undefined,
  places: Places,
  marks: Marks,
): number | Reason {
  const pack = row.cells.find(({ text }) => isPack(text));
  if (pack) return { reason: `“${pack.text}” may be several pieces.` };
  const { head } = row;
  const named = head && row.figures.filter((cell) => isBelow(cell, head, places));
  const proved = column && row.figures.filter((cell) => isIn(cell, column));
  const [cell, other] = named ?? proved ?? [];
  if (!named && !proved) return unproved;
  if (!cell || other) return { reason: 'No quantity.' };
  if (named && proved && proved[0] !== cell) return { reason: 'Head and amounts say different quantities.' };
  const quantity = readPiecesOf(cell, marks);
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_STOCK
    ? quantity
    : { reason: `“${cell.text}” is not a quantity.` };
}

/** The column for which quantity times price is the amount in all rows. */
function proveQuantity(found: readonly Ordered[], rows: readonly PdfRow[], marks: Marks): Proof | null {
  const { columns, cells } = tabulate(found);
  const figures = columns.map((_, place) => readColumn(cells, place, marks));
  const held: { quantity: number; price: number; amount: number }[] = [];
  for (const [quantity, { pieces }] of figures.entries())
    for (const [price, { prices }] of figures.entries())
      for (const [amount, { prices: amounts }] of figures.entries())
        if (new Set([quantity, price, amount]).size === 3 && holds(pieces, prices, amounts))
          held.push({ quantity, price, amount });
  const printed = listPrinted(rows, found, marks);
  const summed = held.filter(({ amount }) => printed.has(Number(figures[amount]?.sumCents)));
  const chosen = new Set(held.map(({ quantity }) => quantity)).size > 1 ? summed : held;
  const [first, ...others] = chosen;
  if (!first || others.some(({ quantity }) => quantity !== first.quantity)) return null;
  // A price of stock has an amount, too, and the pieces to order beside it.
  const used = new Set(held.flatMap(({ quantity, price, amount }) => [quantity, price, amount]));
  const isNamed = found.every(({ head }) => head);
  if (!isNamed && figures.some(({ pieces }, place) => !used.has(place) && mayCount(pieces))) return null;
  const [quantity, price, amount] = [first.quantity, first.price, first.amount].map(
    (column) => cells[0]?.[column]?.text,
  );
  return {
    quantity: columns[first.quantity] as Column,
    price: columns[first.price] as Column,
    because: `The pieces are the figures whose price makes the amount, as in ${quantity} × ${price} = ${amount}.`,
  };
}

type Cells = readonly (readonly (PdfCell | undefined)[])[];

/** Figures by row and column; none if a column has two of a row, or it has too many. */
function tabulate(found: readonly Ordered[]): { columns: Column[]; cells: Cells } {
  const lines = found.filter(({ number }) => number !== null);
  const columns = findColumns(lines.flatMap(({ figures }) => figures));
  if (lines.length * columns.length ** 3 > MAX_COMPARED) return { columns: [], cells: [] };
  const table = lines.map(({ figures }) =>
    columns.map((column) => figures.filter((cell) => isIn(cell, column))),
  );
  const isWhole = table.every((cells) => cells.every(({ length }) => length < 2));
  return isWhole
    ? { columns, cells: table.map((row) => row.map(([cell]) => cell)) }
    : { columns: [], cells: [] };
}

/** A figure stands in many products. NaN for what is none. */
function readColumn(cells: Cells, place: number, marks: Marks) {
  const column = cells.map((row) => row[place]);
  const prices = column.map((cell) => (cell ? readPriceOf(cell, marks) : Number.NaN));
  return {
    pieces: column.map((cell) => (cell ? readPiecesOf(cell, marks) : Number.NaN)),
    prices,
    sumCents: prices.reduce((sum, price) => sum + toCents(price), 0),
  };
}

/** In every row, and in one of more than a piece: 1 × 5 is 5 in any order. */
const holds = (pieces: readonly number[], prices: readonly number[], amounts: readonly number[]): boolean =>
  pieces.some((count) => count > 1) &&
  pieces.every((count, row) => Math.abs(count * Number(prices[row]) - Number(amounts[row])) < 0.0051);

/** Whole numbers in some rows, as a customer may order some parts; but no positions, such as 10, 20, 30. */
const mayCount = (pieces: readonly number[]): boolean =>
  pieces.some((count) => count >= 1) &&
  !(pieces.length > 1 && pieces.every((count, row) => count === Number(pieces[0]) * (row + 1)));

const toCents = (amount: number): number => Math.round(amount * 100);

/** Figures of rows without a part, in cents. */
const listPrinted = (
  rows: readonly PdfRow[],
  found: readonly Ordered[],
  marks: Marks,
): ReadonlySet<number> => {
  const lines = new Set(found.map(({ line }) => line));
  const others = rows.filter((_, index) => !lines.has(index + 1));
  return new Set(others.flatMap(({ cells }) => cells.map((cell) => toCents(readPriceOf(cell, marks)))));
};

/** Figures one below the other. */
function findColumns(figures: readonly PdfCell[]): Column[] {
  const columns: Column[] = [];
  for (const { left, right } of figures.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && left <= last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}
