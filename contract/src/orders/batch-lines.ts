import { MAX_ALIAS, MAX_STOCK } from '../calls/bounds.ts';
import { type Columns, columnsOf, isPosition, MAX_COLUMNS } from '../files/column-names.ts';
import {
  findDecimalMark,
  findPriceMarks,
  isCut,
  isPack,
  readPieces,
  toPlainDigits,
  withoutUnit,
} from '../files/number-text.ts';
import {
  coveringQuote,
  explainTwins,
  findHeader,
  HEADER_ROWS,
  readRows,
  type TableHeader,
  type TableRow,
} from '../files/table.ts';
import { formatCount } from '../money/money.ts';
import { foldPartName, foldPartNumber, isPartNumber } from '../products/part-rules.ts';
import type { AddedList, UnreadBatchLine } from './batch.ts';

export interface ReadLine {
  /** The number of the line, from 1. */
  line: number;
  /** The trimmed text of the line. */
  text: string;
  /** The part's number in upper case, or a name as written. */
  number: string;
  /** A number that is written in other letters. */
  written?: string;
  /** Pieces, from 1 to `MAX_STOCK`. */
  quantity: number;
}

/** Whether a part may have this name beside its number. */
export const mayBeName = (text: string): boolean =>
  [...text].length <= MAX_ALIAS && /[\p{L}\p{N}]/u.test(foldPartName(text));

/** A column that may hold the pieces, with its cell of the first line; an unnamed one has an empty name. */
export type ListColumn = NonNullable<AddedList['columns']>[number];

/** A list as it was read, of text or of a PDF. */
export interface ReadList {
  lines: readonly ReadLine[];
  unread: readonly UnreadBatchLine[];
  /** The first row that names columns. */
  header?: string | null;
  /** Those that may hold the pieces, where nothing says which one does. */
  columns: readonly ListColumn[];
  /** Say to the customer why the pieces are the pieces. */
  because: readonly string[];
}

/**
 * Reads a pasted list or CSV text. Where its header names no quantity, or two, `columns` are those that may be.
 * @param choice one of `columns`, from 1; 0 for none
 */
export function readBatchLines(given: string, choice = 0): ReadList {
  const text = splitAligned(given);
  const read = readLines(text);
  const { header, columns } = (read.lines.length === 0 && findQuantities(text)) || { columns: [] };
  const chosen = columns[choice - 1];
  if (!header || !chosen) return { ...read, columns };
  const named = { ...header.named, add: [chosen.name] };
  const places = { ...header.places, add: chosen.place };
  return { ...readLines(text, { ...header, named, places }), columns };
}

/**
 * Below a header whose columns spaces align, a cell belongs to the one name above it; others come last. Cells in
 * order have equal gaps, as people type them, or there are two. The last ones may be empty.
 */
function splitAligned(text: string): string {
  let header: readonly RegExpExecArray[] = [];
  let gap = '';
  const rows = text.split('\n').map((line) => ({ line, cells: [...line.matchAll(/[^ \r]+(?: [^ \r]+)*/g)] }));
  // A letterhead above a list of two cells may have gaps, too.
  const isWide = rows.some(({ line, cells }) => cells.length > 2 && /\p{Nd}/u.test(line));
  const split = ({ line, cells }: (typeof rows)[number]) => {
    const texts = cells.map(([cell]) => cell);
    if (isAlignedHeader(texts) || (header.length === 0 && isWide && isUnknownHeader(texts))) {
      header = cells.slice(0, MAX_COLUMNS);
      gap = / {2,}/.exec(line.trim())?.[0] ?? '';
    }
    if (header.length === 0 || cells.length < 2) return line;
    const isFull = cells.length === header.length;
    const isTyped = line.trim() === texts.join(gap) && (isFull || cells[0]?.index === header[0]?.index);
    if (isTyped || (isFull && header.length === 2)) return texts.join('\t');
    const write = (some: typeof cells) => some.map(([cell]) => cell).join(' | ');
    const placed = header.map((name) => write(cells.filter((cell) => isBelow(cell, name))));
    const others = cells.filter((cell) => header.filter((name) => isBelow(cell, name)).length !== 1);
    return others.length > 0 ? [...placed, write(others)].join('\t') : placed.join('\t');
  };
  return rows.map(split).join('\n');
}

/** One that names a single column tells no other. Cells of a CSV text may be padded. */
function isAlignedHeader(names: readonly string[]): boolean {
  if (names.some((name) => /[\t;]|^,|,$/.test(name))) return false;
  const columns = columnsOf(names);
  const isNamed = Object.values(columns.places).some((place) => place !== -1);
  return hasBoth(columns) || (isNamed && !/\p{Nd}/u.test(names.join('')));
}

/** More than two names that mean nothing here, and no sentences. */
const isUnknownHeader = (names: readonly string[]): boolean =>
  names.length > 2 && names.every((name) => /[\p{L}%)#]$/u.test(name) && !/\p{Nd}/u.test(name));

const isBelow = (cell: RegExpExecArray, name: RegExpExecArray): boolean =>
  cell.index < name.index + name[0].length && name.index < cell.index + cell[0].length;

/** Below a header that names the number: those that it says mean the quantity, else all of whole numbers. */
function findQuantities(text: string) {
  const { content, header } = findHeader(text, ({ places }) => places.number !== -1);
  if (!header || header.named.number.length > 1 || header.named.add.length === 1) return null;
  const { row, separator, named, places } = header;
  const rows = readRows(content, separator).filter(({ line }) => line > row.line);
  const columns = row.cells.slice(0, MAX_COLUMNS).flatMap((name, place) => {
    const filled = rows.map(({ cells }) => cells[place] ?? '').filter((cell) => cell !== '');
    const [example] = filled;
    const isWhole = filled.every((cell) => Number.isInteger(readPieces(cell)));
    const mayBe = named.add.length > 0 ? named.add.includes(name) : isWhole;
    return place !== places.number && example !== undefined && mayBe ? { name, place, example } : [];
  });
  return rows.length > 0 ? { header, columns } : null;
}

/**
 * A part number and a quantity a row. Skips empty rows, further columns and headers.
 * A header is a first row without digits, one of the first rows that names both columns, or a later row that
 * names the quantity. A later one that names columns holds from there. A header with other names in these
 * places, or with one meaning twice, leaves its rows unread.
 * @param chosen the header, if a customer said which column holds the pieces
 */
function readLines(text: string, chosen?: TableHeader): Omit<ReadList, 'columns'> {
  const lines: ReadLine[] = [];
  const unread: UnreadBatchLine[] = [];
  const sentences = new Set<number>();
  const blanks = new Set<number>();
  const { content, header: found } = findHeader(text, hasBoth);
  const named = chosen ?? found;
  const all = readRows(content, named?.separator ?? separators);
  const rows = all.filter((row) => !separatorLine.test(row.text));
  const first = named ? layOut(named) : findUnclearHeader(rows);
  const marks = findDecimalMarks(rows, first);
  // Lines above a header can only be read if it says what no header means.
  let layout = named && !isInOrder(first) ? above : { ...first, ...(named && unnamed) };
  let { header } = first;
  const headLine = named?.row.line ?? findLateHeader(rows, marks);
  for (const [place, row] of rows.entries()) {
    const { line, text: written } = row;
    const isChosen = line === chosen?.row.line;
    const next = isChosen ? first : readHeader(row, first.separator, place === 0 || written === first.header);
    layout = next ?? layout;
    if (next || (!/\p{Nd}/u.test(written) && (place === 0 || quantityName.test(written)))) {
      header ??= written;
      // Quantities in words have no digits.
      if (place > 0 && next?.refusal !== null) sentences.add(line);
      continue;
    }
    if (line < headLine && isLetterhead(row, marks)) continue;
    const plain = layout.refusal === null ? readLine(row, marks, layout) : { reason: layout.refusal };
    const isMail = 'reason' in plain && layout.refusal === null && layout.width === null && !row.quote;
    const read = (isMail && readMailLine(written, marks)) || plain;
    const isGroup = row.cells.filter((cell) => cell !== '').length === 1;
    if ((isMail || isGroup) && isSentence(written)) sentences.add(line);
    else if (isBlank(row, layout)) blanks.add(line);
    if ('reason' in read) unread.push({ line, text: written, ...read });
    else lines.push({ line, text: written, ...read });
  }
  if (lines.length === 0) return { lines, unread, header, because: [] };
  const leftOut = new Set([...sentences, ...(isForm(lines, blanks) ? blanks : [])]);
  const pieces = named?.row.cells[named.places.add];
  const because = [
    ...(pieces ? [`The pieces stand in “${pieces}”.`] : []),
    ...(leftOut.size > 0 ? [`Left out: ${formatCount(leftOut.size, 'line')} without a quantity.`] : []),
  ];
  return { lines, unread: unread.filter(({ line }) => !leftOut.has(line)), header, because };
}

/** Nothing is written in place of the quantity, and nothing beyond the header or in a quote that may cover lines. */
const isBlank = ({ cells, quote }: TableRow, { quantity, width }: Layout): boolean =>
  width !== null &&
  cells.length > 1 &&
  !quote &&
  cells.slice(width).join('') === '' &&
  /^(?:0*|[-–—])$/.test(cells[quantity] ?? '');

/** A seller's list, in which the customer wrote some quantities: the other lines order nothing. */
const isForm = (lines: readonly ReadLine[], blanks: ReadonlySet<number>): boolean =>
  blanks.size > lines.length;

const separators = '\t;,';
/** Excel's separator line, also between joined lists: `sep=;`. */
const separatorLine = /^"?sep=[,;]?"?$/i;

/** Words alone, or a rule below them. A number without a digit may have a hyphen. */
const isSentence = (text: string): boolean =>
  /^[\p{L}\p{M}\s.,:!?'’()]+$/u.test(text) || /^[-–—_=*~]+$/.test(text);

/** Joined lists repeat their header. */
const quantityName = /\b(?:qty|quantity|pieces|pcs)\b/i;

type Result = Pick<ReadLine, 'number' | 'written' | 'quantity'> | { reason: string; search?: string };

interface Layout {
  number: number;
  quantity: number;
  separator: string | undefined;
  /** Columns in the header; null without one. */
  width: number | null;
  header: string | null;
  /** Why the header leaves every row unread. */
  refusal: string | null;
}

/** Without a header, the number comes before the quantity. */
const unnamed: Layout = {
  number: 0,
  quantity: 1,
  separator: undefined,
  width: null,
  header: null,
  refusal: null,
};

const hasBoth = ({ places }: Columns): boolean => places.number !== -1 && places.add !== -1;

const above: Layout = { ...unnamed, refusal: 'This line stands above the header.' };
const isInOrder = ({ number, quantity }: Layout): boolean => number === 0 && quantity === 1;

const layOut = ({
  row,
  separator,
  ...columns
}: Omit<TableHeader, 'separator'> & Pick<Layout, 'separator'>): Layout => ({
  number: columns.places.number,
  quantity: columns.places.add,
  separator,
  width: row.cells.length,
  header: row.text,
  refusal: explainTwins(columns.named, ['number', 'add']),
});

const layOutUnclear = (header: string): Layout => ({
  ...unnamed,
  header,
  refusal: 'Name the columns “number” and “quantity” in the header.',
});

function findUnclearHeader(rows: readonly TableRow[]): Layout {
  // Titles may stand above the first row of a table.
  const start = rows.findIndex(({ text }) => /[\t;]/.test(text));
  const isFirst = (index: number) => index === 0 || (index === start && !rows[index]?.cells.includes(''));
  const header = rows.slice(0, HEADER_ROWS).find(({ text }, index) => isUnclear(text, isFirst(index)));
  return header ? layOutUnclear(header.text) : unnamed;
}

/** Joined lists may name other columns. Null for a line. */
function readHeader(row: TableRow, separator: Layout['separator'], isFirst: boolean): Layout | null {
  const columns = columnsOf(row.cells);
  if (hasBoth(columns)) return layOut({ row, separator, ...columns });
  // A line may name a unit: `PF-1;many;pcs`.
  const mayName = isFirst || !/\p{Nd}/u.test(row.text);
  return mayName && isUnclear(row.text, isFirst) ? layOutUnclear(row.text) : null;
}

/** Also with an unknown unit: `50 EA`. A header may have an ordinal: `1st`. */
const isFigure = (cell: string): boolean =>
  /^[xX×]?\d[\d.,\s’']*(?:\p{L}{1,8}\.?)?$/u.test(cell) && !/(?:1st|\d(?:nd|rd|th))$/.test(cell);

function isUnclear(header: string, isFirst: boolean): boolean {
  const { columns, separator } = splitColumns(header);
  // Data, such as `PF-1;500;pcs` and `PF-1;500 pcs;pcs`.
  if (columns.map(toPlainDigits).some(isFigure)) return false;
  const { places } = columnsOf(columns);
  const names = Object.values(places).filter((place) => place !== -1);
  // Words of a sentence, or a title.
  if (separator === undefined && names.length < Math.max(2, columns.length)) return false;
  const isNamed = names.length > 0;
  const isList = isFirst && !/\d/.test(header) && columns.length > 2;
  // `Item, Qty`: the order of a list without a header.
  const isInOrder = places.add === 1 && !isPosition(columns[0] ?? '');
  return (isNamed || isList) && !isInOrder;
}

type DecimalMarks = ReadonlySet<string | undefined>;

/** One quantity such as `0,500`, or one price such as `9,50`, shows what `2,500` means. */
const findDecimalMarks = (rows: readonly TableRow[], { number, quantity, separator }: Layout): DecimalMarks =>
  new Set(
    rows.flatMap(({ text }) => {
      const { columns } = splitColumns(text, separator);
      const prices = columns
        .filter((_, place) => place !== number)
        .map((cell) => cell.replace(/\p{Sc}/u, ''));
      return [
        findDecimalMark(withoutUnit(toPlainDigits(columns[quantity] ?? ''))),
        ...findPriceMarks(prices),
      ];
    }),
  );

/** `5 k`, `5 x 100`, `100 - 200`, `100 → 50`, `50 or 60`, `9 €`, `64 GB`. */
const multiplied =
  /^\S+[ \u00A0]+[\d.,]+[ \u00A0]+(?:(?:k|m|x|to|or|oder|of|dozens?|hundreds?|thousands?|millions?|boxe?s?|packs?|reels?|sets?|eur|usd|gbp|chf|gb|tb|mah|mm|cm|kg|days?|weeks?)(?![^\s,])|[×*–+/=|→%€$£¥-])/i;

/**
 * `PF-1 50, PF-2 30`: after the quantity, what may be a number precedes a figure. In `PF-1; 50; for A52 2021`,
 * both are words of one cell.
 */
function ordersMore(text: string, separator: Layout['separator']): boolean {
  const [, quantity = '', ...words] = text.split(/[ \u00A0]+/).filter((word) => !/^[x×–-]$/.test(word));
  const isCell = (word: string) => separator === ' ' || separator === undefined || word.endsWith(separator);
  const mayBeNumber = (word: string) => word.length > 2 && /\p{L}/u.test(word) && /\d/.test(word);
  const isOrder = (word: string, place: number) =>
    isCell(word) && mayBeNumber(word) && /^[x×]?\d+(?!\d|GB?\b)/.test(words[place + 1] ?? '');
  return /^\d/.test(quantity) && words.some(isOrder);
}

function readLine({ text, ...row }: TableRow, decimalMarks: DecimalMarks, named: Layout): Result {
  const isWhole = row.cells.length === 1;
  if (row.quote === 'covers') return { reason: coveringQuote };
  if (isWhole && !isInOrder(named)) return { reason: 'This line does not have the columns of the header.' };
  // A line without the header's separator is read by position.
  const layout = isWhole ? unnamed : named;
  const { columns, separator } =
    layout.width === null
      ? (splitSpaced(text) ?? splitColumns(text))
      : { columns: row.cells, separator: layout.separator };
  const { [layout.number]: numberText = '', [layout.quantity]: quantityText = '' } = columns;
  const number = foldPartNumber(numberText.replace(/:$/, ''));
  if (number === '') return { reason: 'No part number.' };
  const read = readQuantity(text, quantityText, { columns, separator, layout, decimalMarks });
  const upper = number.toUpperCase();
  if (isPartNumber(upper))
    return 'reason' in read ? read : { number: upper, ...(number !== upper && { written: number }), ...read };
  // The shop knows which names are the customer's own.
  return 'reason' in read || !mayBeName(number)
    ? { reason: `“${number}” is no part number.`, search: number }
    : { number, ...read };
}

/**
 * A line of a mail: `- PF-D6101: 150`, `> 150 x PF-D6101`, `1. PF-D6101, OLED display, 150 pcs`. A figure before
 * the number needs a unit, as it may be a position. With a name between, one cell alone must be a figure, and that
 * with a unit of pieces. Null for others.
 */
function readMailLine(text: string, marks: DecimalMarks): Result | null {
  const line = toPlainDigits(text).replace(/^(?:[>•*·] ?|[–-](?: |(?!\d))|\d{1,3}[.)] ){1,5}/, '');
  const end = line.lastIndexOf(' ');
  const counted = line.slice(0, end).replace(/ of$/, '');
  const times = counted.replace(/ ?[x×]$/, '');
  const isCounted = /^\d\S*(?: \D+)?$/.test(counted) && withoutUnit(times) !== counted;
  const [, before, figure] =
    /^([^:,;]+): ?(\d\S*(?: \D{1,8})?)$/.exec(line) ??
    /^([^\s:,;]+) (?:[–-] |[x×] ?)?(\d\S*(?: \D{1,8})?)$/.exec(line) ??
    [];
  const [first = '', ...cells] = line.split(/[,;\t]/).map((cell) => cell.trim());
  const place = cells.findIndex((cell) => /^\d[\d.,]*$/.test(withoutUnit(cell)));
  const [only = '', other] = cells.slice(place).filter((cell) => /\d/.test(cell));
  const named = withoutUnit(only) === only || other !== undefined ? undefined : only;
  const number = foldPartNumber(isCounted ? line.slice(end + 1) : (before ?? first)).toUpperCase();
  const quantity = readCount(isCounted ? times : (figure ?? named ?? ''), marks);
  const isRead = isPartNumber(number) && /\d/.test(number) && !cells.some(isPack);
  return isRead && quantity !== null ? { number, quantity } : null;
}

/** `20 x`, `x 20`, `20 pcs`. */
const counts = /\d ?(?:[x×]|pcs?|pieces?|stk|stück)(?!\p{L})|(?<!\S)[x×] ?\d/iu;

/** Orders nothing: no line of a list or mail, nor what would be one with a clear quantity or without its quote. */
function isLetterhead(row: TableRow, marks: DecimalMarks): boolean {
  const [number = '', quantity = ''] = splitColumns(row.text).columns;
  const mayOrder =
    row.quote === 'covers' || (/\d/.test(number) && /^\d/.test(quantity)) || counts.test(row.text);
  return !mayOrder && 'reason' in readLine(row, marks, unnamed) && !readMailLine(row.text, marks);
}

/** The line of a header below a long letterhead; 0 without one, or where a line above may order. */
function findLateHeader(rows: readonly TableRow[], marks: DecimalMarks): number {
  const place = rows.findIndex(({ cells }) => hasBoth(columnsOf(cells)));
  const isBelow = rows.slice(0, Math.max(place, 0)).every((row) => isLetterhead(row, marks));
  return (isBelow && rows[place]?.line) || 0;
}

const longer = 'This line has more cells than the header.';

interface QuantityCell {
  columns: readonly string[];
  separator: string | undefined;
  layout: Layout;
  decimalMarks: DecimalMarks;
}

function readQuantity(
  text: string,
  quantityText: string,
  { columns, separator, layout, decimalMarks }: QuantityCell,
): { quantity: number } | { reason: string } {
  // 1,000 pieces, or one piece and another column.
  const isSplit = separator === ',' || separator === undefined;
  const next = columns[layout.quantity + 1];
  const isFull = columns.length > (layout.width ?? 0);
  const isLong = layout.width !== null && columns.slice(layout.width).join('') !== '';
  if (quantityText === '') return { reason: isLong ? longer : 'No quantity.' };
  if (isSplit && (isLong || (isCut(quantityText, next) && (isFull || next?.startsWith('0'))))) {
    return { reason: 'Write the quantity without a comma or space in it.' };
  }
  if (isLong) return { reason: longer };
  if (layout.width === null && multiplied.test(text)) {
    return { reason: 'Write the quantity with digits alone.' };
  }
  if (layout.width === null && ordersMore(text, separator)) {
    return { reason: 'Write each part in a line of its own.' };
  }
  const further = layout.width === null ? columns.slice(layout.quantity + 1) : [];
  const pack =
    columns.find((column, place) => place !== layout.number && isPack(column)) ??
    further.find((column) => /^\d/.test(column) && withoutUnit(column) !== column);
  if (pack !== undefined) return { reason: `“${pack}” may be several pieces.` };
  const quantity = readCount(quantityText, decimalMarks);
  return quantity === null ? { reason: `“${quantityText}” is not a quantity.` } : { quantity };
}

/** Null for what is not from one piece to `MAX_STOCK`. */
function readCount(text: string, decimalMarks: DecimalMarks): number | null {
  const plain = withoutUnit(toPlainDigits(text));
  const mark = /\D/.exec(plain)?.[0];
  const quantity = mark !== undefined && decimalMarks.has(mark) ? Number.NaN : readPieces(plain);
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_STOCK ? quantity : null;
}

/** For `PF-D6101 1,000` and `PF-D6101 500, urgent`. */
function splitSpaced(content: string): { columns: string[]; separator: string } | null {
  // A number after it could be the quantity as well.
  const [start = '', number = '', quantity = '', unit = ''] =
    /^([^\s,]+)\s+(\d[\d,]*)(?!\S|\s+\d)\s*([^\s,]*)/.exec(content) ?? [];
  // In `S38 355 B, 217` the space belongs to the number.
  const isCell = /, ?\d/.test(content.slice(start.length));
  const isSpaced = !/[\t;"]/.test(content) && /\d/.test(number) && !isCell;
  return isSpaced ? { columns: [number, quantity.replace(/,$/, ''), unit], separator: ' ' } : null;
}

/** Default separator: the first of tab, semicolon and comma outside of quotes, else white space. */
function splitColumns(
  content: string,
  given?: string | undefined,
): { columns: string[]; separator: string | undefined } {
  const unquoted = content
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
  for (const separator of given ?? [...separators].filter((mark) => unquoted.includes(mark))) {
    const columns = readRows(content, separator)[0]?.cells ?? [];
    if (given !== undefined || columns.length > 1) return { columns, separator };
  }
  return { columns: content.split(/\s+/).map(unquote), separator: undefined };
}

const unquote = (column: string): string =>
  column
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"')
    .trim();
