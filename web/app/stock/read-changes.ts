import { MAX_SEARCH } from '@parts-forge/contract/bounds';
import {
  type Columns,
  columnsOf,
  isOrdersFile,
  listUnused,
  type Places,
} from '@parts-forge/contract/column-names';
import { formatPieces } from '@parts-forge/contract/money';
import { explainPieces, explainPrice, isCut, readPieces, readPrice } from '@parts-forge/contract/number-text';
import { foldPartNumber } from '@parts-forge/contract/part-rules';
import type { BulkChange } from '@parts-forge/contract/stock';
import {
  coveringQuote,
  findHeader,
  readRows,
  refuseTwins,
  type TableHeader,
  type TableRow,
} from '@parts-forge/contract/table';
import { isWorkbook } from '#app/ui/read-text-file.ts';

export const MAX_FILE_LINES = 5000;

export interface FileLine {
  /** From 1. */
  line: number;
  /** Later lines of the same part, included here. */
  more: number;
  /** As in the file. */
  written: string[];
  /** Null for an unreadable line, which `error` explains. */
  change: BulkChange | null;
  error: string | null;
}

/** Refuses the whole file. */
export class FileError extends Error {}

/** Lower bounds are the server's, which explains them for each line. */
const FIGURE_LIMIT = 1e9;

/** Limit of lines named in a message. */
const NAMED_LINES = 5;

interface ReadFile {
  lines: FileLine[];
  notes: string[];
  separator: string;
}

/**
 * Reads a file by its column names; without names, lines of at most three cells are number, add and price.
 * Skips lines that change nothing. `notes` are sentences about unused content.
 * @throws FileError for uncertain columns, too many lines, or none
 */
export function readChanges(text: string): ReadFile {
  if (isWorkbook(text)) throw new FileError('This is an Excel workbook: save it as CSV.');
  const { content, header, separator } = findHeader(text, isHeader);
  if (header) refuseHeader(header);
  const all = readRows(content, separator);
  const other = header && all.find((row) => row.line > header.row.line && isHeader(columnsOf(row.cells)));
  if (other)
    throw new FileError(`Line ${other.line} names columns again. Choose its lines as a file of their own.`);
  const below = header ? all.filter(({ line }) => line > header.row.line) : all;
  // A wrong quote may shift every later cell.
  const wrong = below.findIndex((row) => row.quote && row.quote !== 'covers');
  const rows = wrong === -1 ? below : below.slice(0, wrong + 1);
  const notes = header ? describeUnused(all, header) : [];
  const places = header?.places ?? placesWithoutNames(rows);
  const width = header ? countCells(header.row) : 3;
  const changing = rows
    .map((row) => ({ row, cells: pickCells(row, places) }))
    .filter(
      ({ row, cells }) =>
        [cells.add, cells.price].join('') !== '' ||
        row.quote ||
        countCells(row) > width ||
        otherSeparator.test(cells.number),
    );
  if (changing.length === 0) throw new FileError('No line of this file changes anything.');
  if (changing.length > MAX_FILE_LINES) {
    throw new FileError(
      `This file has ${changing.length} changes; at most ${MAX_FILE_LINES} can be made at once.`,
    );
  }
  const format = { separator, places, width, hasNames: header !== null };
  const lines = joinRepeats(changing.map(({ row, cells }) => readLine(row, cells, format)));
  return { lines, notes, separator };
}

const isHeader = ({ places }: Columns): boolean =>
  places.number !== -1 && (places.add !== -1 || places.price !== -1);

function refuseHeader(header: TableHeader): void {
  if (isOrdersFile(header.row.cells)) {
    throw new FileError('This is a file of orders: its quantities are not pieces to add.');
  }
  const twins = refuseTwins(header, ['number', 'add', 'price']);
  if (twins !== null) throw new FileError(twins);
}

/** Number, add, price. @throws FileError for other columns, or more than three cells */
function placesWithoutNames(rows: readonly TableRow[]): Places {
  const [first] = rows;
  if (!first) throw new FileError('No line of this file changes anything.');
  const figures = first.cells.slice(1).filter((cell) => cell !== '');
  const isHeader =
    !first.cells.some((cell) => /\d/.test(cell)) || !figures.every((cell) => /^\W*\d/.test(cell));
  if (isHeader && !first.quote) {
    const names = first.cells.filter((cell) => cell !== '').slice(0, 20);
    throw new FileError(
      `This file has the columns ${quote(names.map(shorten))}. It needs “number”, and “add” or “price”.`,
    );
  }
  const long = rows.find((row) => countCells(row) > 3 && !row.quote);
  if (long) {
    throw new FileError(
      `Line ${long.line} has ${countCells(long)} cells. A file without column names has at most three: number, pieces to add and price.`,
    );
  }
  return { number: 0, add: 1, price: 2 };
}

function describeUnused([first]: readonly TableRow[], { row, places }: TableHeader): string[] {
  const unused = listUnused(row.cells, places).map(shorten);
  return [
    ...(first?.line !== row.line
      ? [`The lines before line ${row.line}, which names the columns, are not read.`]
      : []),
    ...(unused.length > 0
      ? [`Columns that are not used: ${unused.map((name) => `“${name}”`).join(', ')}.`]
      : []),
  ];
}

export const shorten = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name);
const quote = (names: readonly string[]): string =>
  names.map((name) => `“${name}”`).join(names.length === 2 ? ' and ' : ', ');

/** Without trailing empty cells. */
const countCells = ({ cells }: TableRow): number => cells.findLastIndex((cell) => cell !== '') + 1;

type Cells = Record<keyof Places, string>;
const pickCells = ({ cells }: TableRow, places: Places): Cells => {
  const pick = (place: number) => stripMarks(cells[place] ?? '');
  return {
    number: foldPartNumber(pick(places.number)).toUpperCase(),
    add: pick(places.add),
    price: pick(places.price),
  };
};

/** Spreadsheets mark a text as `="text"` or `'text`. */
const stripMarks = (cell: string): string =>
  cell
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'/, '')
    .trim();

interface Format {
  separator: string;
  places: Places;
  /** Limit of cells in a line. */
  width: number;
  hasNames: boolean;
}

function readLine(row: TableRow, { number, add, price }: Cells, format: Format): FileLine {
  const written = price === '' ? [number, add] : [number, add, price];
  const refuse = (error: string, cells = written): FileLine => ({
    ...{ line: row.line, more: 0, written: cells, change: null, error },
  });
  const misfit = refuseCells(row, format) ?? refuseCut(row, format);
  // In one cell it is no part number, also if it is saved and chosen again.
  if (misfit !== null) return refuse(misfit, [row.text]);
  const unknown = refuseNumber(number);
  if (unknown !== null) return refuse(unknown);
  const pieces = add === '' ? undefined : readAdd(add, format.separator);
  if (pieces !== undefined && !(Math.abs(pieces) < FIGURE_LIMIT)) return refuse(explainPieces(add));
  if (pieces !== undefined && pieces < 0) {
    return refuse(`“${add}” would take pieces away. A file adds; correct a stock under its part.`);
  }
  const dollars = price === '' ? undefined : readPrice(price);
  if (dollars !== undefined && !(dollars >= 0 && dollars < FIGURE_LIMIT)) return refuse(explainPrice(price));
  const change = {
    number,
    ...(pieces !== undefined && { add: pieces }),
    ...(dollars !== undefined && { price: dollars }),
  };
  return { line: row.line, more: 0, written, change, error: null };
}

/** Columns that have names may stand side by side; nobody writes `000` alone. */
function refuseCut({ cells }: TableRow, { separator, places, hasNames }: Format): string | null {
  const isOne = (at: number) =>
    isCut(cells[at], cells[at + 1]) && (!hasNames || cells[at + 1]?.startsWith('0'));
  const cut = separator === ',' ? [places.add, places.price].find(isOne) : undefined;
  if (cut === undefined) return null;
  const figure = cells.slice(cut, cut + 2).join(',');
  return `“${figure}” may be one figure or two. Separate the cells by semicolons.`;
}

function refuseCells(row: TableRow, { separator, width }: Format): string | null {
  if (row.quote === 'open') return 'A quote in this line is never closed. Nothing from here on is read.';
  if (row.quote === 'stray') {
    return 'A quote in this line does not end its cell. Nothing from here on is read.';
  }
  if (row.quote === 'covers') return coveringQuote;
  const count = countCells(row);
  if (count <= width) return null;
  const advice = separator === ',' ? ' Put figures with commas in quotes.' : '';
  return `This line has ${count} cells, but there are ${width} columns.${advice}`;
}

/** No part number has it. */
const otherSeparator = /[\t\n;,]/;

function refuseNumber(number: string): string | null {
  if (number === '') return 'The part number is missing.';
  if (otherSeparator.test(number)) return 'This line has another separator than the file.';
  return number.length > MAX_SEARCH ? `The part number is longer than ${MAX_SEARCH} characters.` : null;
}

/** Other programs write decimals of pieces. Only a comma between commas is surely of thousands. */
const readAdd = (text: string, separator: string): number =>
  (separator === ',' ? /\./ : /[,.]/).test(text) ? Number.NaN : readPieces(text);

/** A scanner writes one line for each piece; two prices are an error. */
function joinRepeats(lines: readonly FileLine[]): FileLine[] {
  const named = Map.groupBy(lines, ({ change }) => change?.number);
  named.delete(undefined);
  const errors = new Map<string, string>();
  for (const [number, same] of named) {
    const prices = new Set(same.flatMap(({ change }) => change?.price ?? []));
    if (number !== undefined && prices.size > 1) {
      errors.set(number, `${number} has different prices: ${nameLines(same)}.`);
    }
  }
  return lines.flatMap((each) => {
    if (!each.change) return each;
    const error = errors.get(each.change.number);
    if (error !== undefined) return { ...each, change: null, error };
    const same = named.get(each.change.number) ?? [];
    if (same[0] !== each) return [];
    return same.length === 1 ? each : { ...each, more: same.length - 1, change: sumUp(same, each.change) };
  });
}

function sumUp(same: readonly FileLine[], { number }: BulkChange): BulkChange {
  const added = same.flatMap(({ change }) => change?.add ?? []);
  const price = same.find(({ change }) => change?.price !== undefined)?.change?.price;
  return {
    number,
    ...(added.length > 0 && { add: added.reduce((sum, each) => sum + each, 0) }),
    ...(price !== undefined && { price }),
  };
}

function nameLines(same: readonly FileLine[]): string {
  const first = same.slice(0, NAMED_LINES).map(({ line }) => line);
  const more = same.length - first.length;
  return `lines ${first.join(', ')}${more > 0 ? ` and ${formatPieces(more)} more` : ''}`;
}

export function sumChanges(lines: readonly { added: number; isPriceChanged: boolean }[]): string {
  const pieces = lines.reduce((sum, { added }) => sum + added, 0);
  const prices = lines.filter(({ isPriceChanged }) => isPriceChanged).length;
  const count = new Intl.NumberFormat('en-US').format(pieces);
  return `${count} ${pieces === 1 ? 'piece' : 'pieces'} added, ${prices} ${prices === 1 ? 'price' : 'prices'} changed`;
}
