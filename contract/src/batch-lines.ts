import { MAX_STOCK } from './bounds.ts';
import { columnsOf } from './column-names.ts';
import { foldPartNumber, isPartNumber } from './part-rules.ts';

/** A line of a pasted list that names a part and how many of it. */
export interface ReadLine {
  /** Its place in the text, from 1. */
  line: number;
  /** As it was pasted, without the space around it. */
  text: string;
  /** The part number, in capital letters. */
  number: string;
  /** Pieces, from 1 to `MAX_STOCK`. */
  quantity: number;
}

/** A line that cannot be read, and why, in a sentence for people. */
export interface UnreadLine {
  line: number;
  text: string;
  reason: string;
  /** What stands where a part number should; parts may be found by it. */
  search?: string;
}

/**
 * Reads a pasted list or the text of a CSV file: a part number and a quantity in each line, with a comma, semicolon, tab
 * or spaces between them. Empty lines and further columns are skipped, and so are headers: a first line without a digit,
 * one of the first lines that names both columns, which then may stand anywhere; and a later line that names the column
 * of quantities. No line is read by place where a header names other columns there. Whether there is such a part is not
 * known here.
 */
export function readBatchLines(text: string): {
  lines: ReadLine[];
  unread: UnreadLine[];
  /** As it was pasted; null for none. */
  header: string | null;
} {
  const lines: ReadLine[] = [];
  const unread: UnreadLine[] = [];
  // A byte order mark in front of a file is white space, too.
  const all = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const filled = [...all.entries()].filter(([, line]) => line !== '' && !separatorLine.test(line));
  const layout = findLayout(filled.slice(0, HEADER_LINES).map(([, line]) => line));
  const marks = findDecimalMarks(all, layout);
  let header: string | null = layout.header;
  for (const [place, [index, content]] of filled.entries()) {
    const isHeader =
      content === layout.header || (!/\d/.test(content) && (place === 0 || quantityName.test(content)));
    if (isHeader) {
      header ??= content;
      continue;
    }
    const read = layout.isUnclear ? { reason: unclear } : readLine(content, marks, layout);
    if ('reason' in read) unread.push({ line: index + 1, text: content, ...read });
    else lines.push({ line: index + 1, text: content, ...read });
  }
  return { lines, unread, header };
}

/** Column names stand among so many first lines, behind a title. */
const HEADER_LINES = 8;
/** Tells a spreadsheet how to open the file. */
const separatorLine = /^"?sep=[,;]?"?$/i;
const unclear = 'Name the columns “number” and “quantity” in the header.';

/** A list that was joined from several has a header in front of each. */
const quantityName = /\b(?:qty|quantity|pieces|pcs)\b/i;

type Result = { number: string; quantity: number } | { reason: string; search?: string };

/** Where the two columns stand. */
interface Layout {
  number: number;
  quantity: number;
  separator: string | undefined;
  /** How many columns the header names; null without one. */
  width: number | null;
  /** The line that names the columns. */
  header: string | null;
  /** It names others where number and quantity would stand. */
  isUnclear: boolean;
}

const unnamed: Layout = {
  ...{ number: 0, quantity: 1, separator: undefined },
  ...{ width: null, header: null, isUnclear: false },
};

/** By the first line that names both columns, else number and quantity in this order. */
function findLayout(firstLines: readonly string[]): Layout {
  const headers = firstLines.map((line, index) => readHeader(line, index === 0));
  return headers.find((layout) => layout?.isUnclear === false) ?? headers.find(Boolean) ?? unnamed;
}

/** What a line says about the columns; null for one that says nothing. */
function readHeader(header: string, isFirst: boolean): Layout | null {
  const { columns, separator } = splitColumns(header);
  if (separator === undefined) return null;
  const { places } = columnsOf(columns);
  // Only where there is no other number: the shop's own files have both, and the part is its name.
  const number = places.number === -1 ? columns.findIndex((name) => /^part$/i.test(name)) : places.number;
  if (number !== -1 && places.add !== -1) {
    return { number, quantity: places.add, separator, width: columns.length, header, isUnclear: false };
  }
  // `PF-1;500;pcs` names no column.
  if (columns.some((cell) => /^\d[\d.,\s’']*$/.test(cell))) return null;
  const isNamed = places.add !== -1 || places.price !== -1;
  const isList = isFirst && !/\d/.test(header) && columns.length > 2;
  const isInOrder = places.add === 1 && number < 1;
  return (isNamed || isList) && !isInOrder ? { ...unnamed, header, isUnclear: true } : null;
}

/** The marks that a quantity of the text has where they part no thousands: `1000,000`. */
function findDecimalMarks(lines: readonly string[], { quantity, separator }: Layout): ReadonlySet<string> {
  const marks = lines.map(
    (line) => /^\d{4,}([,.])\d{3}$/.exec(splitColumns(line, separator).columns[quantity] ?? '')?.[1],
  );
  return new Set(marks.filter((mark) => mark !== undefined));
}

function readLine(content: string, decimalMarks: ReadonlySet<string>, named: Layout): Result {
  // A line with another separator than its header is read by place.
  const layout = findOutsideQuotes(content, named.separator ?? '') === -1 ? unnamed : named;
  const { columns, separator } =
    layout.width === null
      ? (splitSpaced(content) ?? splitColumns(content))
      : splitColumns(content, layout.separator);
  const { [layout.number]: numberText = '', [layout.quantity]: quantityText = '' } = columns;
  const number = foldPartNumber(numberText);
  const next = layout.width === null ? columns[2] : columns.slice(layout.width).join('');
  if (number === '') return { reason: 'No part number.' };
  if (!isPartNumber(number.toUpperCase()))
    return { reason: `“${number}” is no part number.`, search: number };
  if (quantityText === '') return { reason: 'No quantity.' };
  // 1,000 pieces, or one piece and another column: whoever wrote it knows.
  const isSplit = separator === ',' || separator === undefined;
  const isGrouped =
    layout.width === null ? /^\d{1,3}$/.test(quantityText) && /^\d{3}$/.test(next ?? '') : next !== '';
  if (isSplit && isGrouped) {
    return { reason: 'Write the quantity without a comma or space in it.' };
  }
  const quantity = readQuantity(quantityText, decimalMarks);
  return quantity === null
    ? { reason: `“${quantityText}” is not a quantity.` }
    : { number: number.toUpperCase(), quantity };
}

/** The line with the number of another part in place of its own. */
export function replaceNumber(line: string, number: string): string {
  const { separator } = splitColumns(line);
  if (separator !== undefined) return `${number}${line.slice(findOutsideQuotes(line, separator))}`;
  // Between words, a number with a space in it would be two columns.
  return line.replace(/^\S+/, number.includes(' ') ? `${number};` : number);
}

/** `PF-D6101 1,000` and `PF-D6101 500, urgent`: a space behind the number, and a comma later. */
function splitSpaced(content: string): { columns: string[]; separator: string } | null {
  const [whole = '', number = '', quantity = ''] = /^([^\s,]+)\s+(\d[\d,]*)/.exec(content) ?? [];
  const rest = content.slice(whole.length);
  const isSpaced = content.includes(',') && !/[\t;"]/.test(content) && /\d/.test(number);
  // A figure in the next column may as well be the quantity.
  if (!isSpaced || /^\s*\d/.test(rest)) return null;
  return { columns: [number, quantity.replace(/,$/, '')], separator: ' ' };
}

/** The separator is the given one, or the first of tab, semicolon and comma that the line has, else white space. */
function splitColumns(
  content: string,
  given?: string | undefined,
): { columns: string[]; separator: string | undefined } {
  const separator = given ?? ['\t', ';', ','].find((mark) => findOutsideQuotes(content, mark) !== -1);
  if (separator === undefined) return { columns: content.split(/\s+/).map(unquote), separator };
  const columns: string[] = [];
  let rest = content;
  for (let at = findOutsideQuotes(rest, separator); at !== -1; at = findOutsideQuotes(rest, separator)) {
    columns.push(rest.slice(0, at));
    rest = rest.slice(at + 1);
  }
  return { columns: [...columns, rest].map(unquote), separator };
}

function findOutsideQuotes(text: string, mark: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === mark && !isQuoted) return at;
  }
  return -1;
}

const unquote = (column: string): string =>
  column
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"')
    .trim();

/**
 * `1000`, and `1,000`, `1.000` or `1 000` where that mark is neither the separator nor a decimal one; null for anything
 * else.
 */
function readQuantity(text: string, decimalMarks: ReadonlySet<string>): number | null {
  const mark = /^\d{1,3}([,.\s’'])\d{3}(\1\d{3})*$/.exec(text)?.[1];
  const digits = mark !== undefined && !decimalMarks.has(mark) ? text.replace(/\D/g, '') : text;
  const quantity = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return quantity >= 1 && quantity <= MAX_STOCK ? quantity : null;
}
