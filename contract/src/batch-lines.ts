import { MAX_STOCK } from './bounds.ts';
import { columnsOf } from './column-names.ts';
import { foldPartNumber, isPartNumber } from './part-rules.ts';

export interface ReadLine {
  /** From 1. */
  line: number;
  /** Trimmed. */
  text: string;
  /** Upper-case. */
  number: string;
  /** Pieces, from 1 to `MAX_STOCK`. */
  quantity: number;
}

export interface UnreadLine {
  line: number;
  text: string;
  reason: string;
  /** A search for the unknown number. */
  search?: string;
}

/**
 * Reads a pasted list or CSV text: a part number and a quantity a line. Skips empty lines, further columns
 * and headers.
 * A header is a first line without digits, one of the first `HEADER_LINES` lines that names both columns, or
 * a later line that names the quantity. A header with other names in these places leaves every line unread.
 */
export function readBatchLines(text: string): {
  lines: ReadLine[];
  unread: UnreadLine[];
  /** Null for none. */
  header: string | null;
} {
  const lines: ReadLine[] = [];
  const unread: UnreadLine[] = [];
  // Also trims a byte order mark.
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

/** A title may precede the header. */
const HEADER_LINES = 8;
/** Excel's separator line: `sep=;`. */
const separatorLine = /^"?sep=[,;]?"?$/i;
const unclear = 'Name the columns “number” and “quantity” in the header.';

/** Joined lists repeat their header. */
const quantityName = /\b(?:qty|quantity|pieces|pcs)\b/i;

type Result = { number: string; quantity: number } | { reason: string; search?: string };

interface Layout {
  number: number;
  quantity: number;
  separator: string | undefined;
  /** Columns in the header; null without one. */
  width: number | null;
  header: string | null;
  /** The header names other columns. */
  isUnclear: boolean;
}

const unnamed: Layout = {
  ...{ number: 0, quantity: 1, separator: undefined },
  ...{ width: null, header: null, isUnclear: false },
};

/** Default: number, then quantity. */
function findLayout(firstLines: readonly string[]): Layout {
  const headers = firstLines.map((line, index) => readHeader(line, index === 0));
  return headers.find((layout) => layout?.isUnclear === false) ?? headers.find(Boolean) ?? unnamed;
}

function readHeader(header: string, isFirst: boolean): Layout | null {
  const { columns, separator } = splitColumns(header);
  if (separator === undefined) return null;
  const { places } = columnsOf(columns);
  // A name, too: used only without another column for the number.
  const number = places.number === -1 ? columns.findIndex((name) => /^part$/i.test(name)) : places.number;
  if (number !== -1 && places.add !== -1) {
    return { number, quantity: places.add, separator, width: columns.length, header, isUnclear: false };
  }
  // Data, such as `PF-1;500;pcs`.
  if (columns.some((cell) => /^\d[\d.,\s’']*$/.test(cell))) return null;
  const isNamed = places.add !== -1 || places.price !== -1;
  const isList = isFirst && !/\d/.test(header) && columns.length > 2;
  // `Item, Qty`: the order of a list without a header.
  const isInOrder = places.add === 1;
  return (isNamed || isList) && !isInOrder ? { ...unnamed, header, isUnclear: true } : null;
}

type DecimalMarks = ReadonlySet<string | undefined>;

/** Decimal marks, proven by a quantity such as `1000,000`. */
function findDecimalMarks(lines: readonly string[], { quantity, separator }: Layout): DecimalMarks {
  const marks = lines.map(
    (line) => /^\d{4,}([,.])\d{3}$/.exec(splitColumns(line, separator).columns[quantity] ?? '')?.[1],
  );
  return new Set(marks);
}

function readLine(content: string, decimalMarks: DecimalMarks, named: Layout): Result {
  // A line without the header's separator is read by position.
  const layout = findOutsideQuotes(content, named.separator) === -1 ? unnamed : named;
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
  // 1,000 pieces, or one piece and another column.
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

export function replaceNumber(line: string, number: string): string {
  const { separator } = splitColumns(line);
  if (separator !== undefined) return `${number}${line.slice(findOutsideQuotes(line, separator))}`;
  // In a line split by spaces, the number's own space would split it.
  return line.replace(/\S+/, number.includes(' ') ? `${number};` : number);
}

/** For `PF-D6101 1,000` and `PF-D6101 500, urgent`. */
function splitSpaced(content: string): { columns: string[]; separator: string } | null {
  // A number after it could be the quantity as well.
  const [, number = '', quantity = ''] = /^([^\s,]+)\s+(\d[\d,]*)(?!\S|\s+\d)/.exec(content) ?? [];
  const isSpaced = !/[\t;"]/.test(content) && /\d/.test(number);
  return isSpaced ? { columns: [number, quantity.replace(/,$/, '')], separator: ' ' } : null;
}

/** Default separator: the first of tab, semicolon and comma in the line, else white space. */
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

function findOutsideQuotes(text: string, mark: string | undefined): number {
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
 * Accepts thousands marks (`1,000`, `1.000`, `1 000`) that are neither separator nor decimal mark; null for
 * others.
 */
function readQuantity(text: string, decimalMarks: DecimalMarks): number | null {
  const mark = /^\d{1,3}([,.\s’'])\d{3}(\1\d{3})*$/.exec(text)?.[1];
  const digits = mark !== undefined && !decimalMarks.has(mark) ? text.replace(/\D/g, '') : text;
  const quantity = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return quantity >= 1 && quantity <= MAX_STOCK ? quantity : null;
}
