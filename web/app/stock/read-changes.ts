import type { BulkChange } from '@parts-forge/contract/stock';
import { type CsvRow, readCsv } from './read-csv.ts';

/** Lines that one file may have. */
export const MAX_FILE_LINES = 5000;

/** A line of the file that is to change a part, or that cannot be read. */
export interface FileLine {
  /** Its place in the file, from 1. */
  line: number;
  /** Number, pieces and price as they are written there. */
  written: string[];
  /** Null where it cannot be read, which `error` says. */
  change: BulkChange | null;
  error: string | null;
}

const COLUMNS = ['number', 'add', 'price'] as const;
type Cells = Record<(typeof COLUMNS)[number], string>;

/**
 * The lines of a file with the columns number, add and price, by their names in the first line or, without names, in
 * this order. Lines with neither pieces nor a price are left out: they change nothing. A part that is named twice is an
 * error in both lines.
 */
export function readChanges(text: string): FileLine[] {
  const { rows, separator } = readCsv(text);
  const [first] = rows;
  const names = first?.cells.map((name) => name.toLowerCase()) ?? [];
  const hasNames = names.includes('number');
  const places = COLUMNS.map((column, index) => (hasNames ? names.indexOf(column) : index));
  const lines = (hasNames ? rows.slice(1) : rows)
    .map((row) => ({ row, cells: pickCells(row, places) }))
    .filter(({ cells }) => cells.add !== '' || cells.price !== '')
    .map(({ row, cells }) => readLine(row, cells, separator));
  return refuseRepeats(lines);
}

const pickCells = ({ cells }: CsvRow, places: readonly number[]): Cells => {
  const [number = '', add = '', price = ''] = places.map((place) => cells[place] ?? '');
  return { number, add, price };
};

function readLine({ line }: CsvRow, cells: Cells, separator: string): FileLine {
  const { number, add, price } = cells;
  const written = price === '' ? [number, add] : [number, add, price];
  const refuse = (error: string): FileLine => ({ line, written, change: null, error });
  if (number === '') return refuse('The part number is missing.');
  const pieces = add === '' ? undefined : readWhole(add);
  if (pieces === null) return refuse(`“${add}” is not a whole number.`);
  if (pieces !== undefined && pieces < 0) {
    return refuse(`“${add}” would take pieces away. A file adds; correct a stock under its part.`);
  }
  const dollars = price === '' ? undefined : readPrice(price, separator);
  if (dollars === null) return refuse(`“${price}” is not a price.`);
  const change = {
    number: number.toUpperCase(),
    ...(pieces !== undefined && { add: pieces }),
    ...(dollars !== undefined && { price: dollars }),
  };
  return { line, written, change, error: null };
}

/** Digits, also in groups of three; null for anything else. */
function readWhole(text: string): number | null {
  const plain = text.replace(/(?<=\d)[, ](?=\d{3}(?!\d))/g, '').replace('−', '-');
  return /^[+-]?\d{1,9}$/.test(plain) ? Number(plain) : null;
}

/** Where commas do not part the cells they may stand before the cents. */
function readPrice(text: string, separator: string): number | null {
  const bare = text.replace(/^\$\s*/, '');
  const plain = separator === ',' ? bare : bare.replace(/^(\d+),(\d{1,2})$/, '$1.$2');
  return /^\d{1,9}(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

function refuseRepeats(lines: readonly FileLine[]): FileLine[] {
  const named = Map.groupBy(
    lines.filter(({ change }) => change !== null),
    ({ change }) => change?.number,
  );
  return lines.map((each) => {
    const same = each.change && named.get(each.change.number);
    if (!same || same.length < 2) return each;
    const places = same.map(({ line }) => line).join(', ');
    return {
      ...each,
      change: null,
      error: `${each.change?.number} is named more than once: lines ${places}.`,
    };
  });
}

/** What all of some changes come to. */
export function sumChanges(lines: readonly { added: number; isPriceChanged: boolean }[]): string {
  const pieces = lines.reduce((sum, { added }) => sum + added, 0);
  const prices = lines.filter(({ isPriceChanged }) => isPriceChanged).length;
  const count = new Intl.NumberFormat('en-US').format(pieces);
  return `${count} ${pieces === 1 ? 'piece' : 'pieces'} added, ${prices} ${prices === 1 ? 'price' : 'prices'} changed`;
}
