import * as z from 'zod/mini';
import { MAX_IMPORT_LINES, MAX_STOCK, MIN_STOCK } from '../calls/bounds.ts';
import { formatPieces, writeAmount } from '../money/money.ts';
import type { lineProblemSchema } from '../products/catalogue.ts';
import { foldPartNumber, isPartNumber, KINDS } from '../products/part-rules.ts';
import type { ProductChanges } from '../products/product-changes.ts';
import {
  atLeast,
  atMost,
  type CellKind,
  EDITED_FIELDS,
  fieldFacts,
  optionalFields,
  requiredFields,
  wholeNumber,
} from '../products/product-fields.ts';
import type { Product } from '../products/products.ts';
import { emailField } from '../text/text.ts';
import { readWrittenDay } from '../text/written-day.ts';
import { columnsOf, foldName, isOrdersFile, MAX_COLUMNS } from './column-names.ts';
import { unguardFormulas } from './formula-guard.ts';
import { explainPieces, explainPrice, findPriceMarks, readFilePieces, readFilePrice } from './number-text.ts';
import {
  coveringQuote,
  DATE_CELL,
  type FileCell,
  FileError,
  type FileRow,
  findHeader,
  HEADER_ROWS,
  MAX_FILE_ROWS,
  readRows,
  UNCALCULATED_CELL,
} from './table.ts';

/** The catalogue as a file, and customers' prices as one: their columns, and the reading of lines. */

/** `add` is a difference, `stock` a count that applies while the stock is `stockWas`. */
export interface LineFields extends Omit<ProductChanges, 'image' | 'number'> {
  add?: number | undefined;
  stock?: number | undefined;
  stockWas?: number | undefined;
  /** When the file was written. */
  version?: number | undefined;
  /** The last day of a customer's price; null for none. */
  until?: string | null | undefined;
  /** The other fields but `version` are not read then. */
  remove?: true | undefined;
}

/** Empties a list, or a field that may be empty. */
const NONE = '(none)';

/** Spreadsheets mark a text as `="text"`; the shop's own files disarm formulas. */
function readText(cell: FileCell): string {
  const text = String(cell).replaceAll('\t', ' ').trim();
  return /^="(.*)"$/s.exec(text)?.[1]?.replaceAll('""', '"') ?? unguardFormulas(text);
}

/** A mark of a text, as in `'00123`, belongs to no number. */
export const readCode = (cell: FileCell): string => readText(cell).replace(/^'/, '').trim();
/** Marks what `readCode` would change, or `explainBroken` refuse. */
export const writeCode = (text: string): string =>
  text.startsWith("'") || explainBroken(text) !== null ? `'${text}` : text;
const readNumber = (cell: FileCell): string => foldPartNumber(readCode(cell)).toUpperCase();
const readKind = (cell: FileCell): string =>
  KINDS.find((kind) => foldName(kind) === foldName(readText(cell))) ?? readText(cell);

type Marks = ReadonlySet<string>;

function readPieces(cell: FileCell, marks: Marks): number {
  if (typeof cell === 'number') return cell;
  const text = readCode(cell).replace('−', '-');
  const pieces = readFilePieces(text.replace(/^-/, ''), marks);
  if (Number.isNaN(pieces)) throw new FileError(explainPieces(text));
  return text.startsWith('-') ? -pieces : pieces;
}

const MIXED_MARKS =
  'The prices of this file have “.” and “,” before their decimals. Write this one without a mark between thousands.';

function readPrice(cell: FileCell, marks: Marks): number {
  // Spreadsheets calculate 90.75000000000001.
  if (typeof cell === 'number') return Number(cell.toFixed(6));
  const price = readFilePrice(readCode(cell), marks);
  if (!Number.isNaN(price)) return price;
  const isMixed = marks.size > 1 && !Number.isNaN(readFilePrice(readCode(cell), new Set()));
  throw new FileError(isMixed ? MIXED_MARKS : explainPrice(readCode(cell)));
}

const escapeEntry = (entry: string): string => entry.replace(/[\\;]/g, '\\$&');
const unescapeEntry = (text: string): string => text.replace(/\\([\\;:])/g, '$1').trim();
/** An entry such as `#A12` alone would be read as an error of a spreadsheet. */
function writeList(entries: readonly string[]): string {
  const text = entries.map(escapeEntry).join('; ');
  return explainBroken(text) === null ? text : `${text};`;
}

/** Semicolons or line breaks separate entries; a backslash makes them letters. */
function splitList(cell: FileCell): string[] {
  const text = readText(cell);
  const entries = text === NONE ? [] : (text.match(/(?:\\.|[^;\n\\]|\\(?=\n|$))+/gs) ?? []);
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
const readList = (cell: FileCell): string[] => splitList(cell).map(unescapeEntry);

/** At the first colon that no backslash makes a letter. */
const splitPairs = (cell: FileCell, example: string): [name: string, value: string][] =>
  splitList(cell).map((entry) => {
    const [, name, value] = /^((?:\\.|[^:\\])*):(.*)$/s.exec(entry) ?? [];
    if (name === undefined || value === undefined) throw new FileError(`Write it as ${example}.`);
    return [unescapeEntry(name), unescapeEntry(value)];
  });

const readAttributes = (cell: FileCell) =>
  splitPairs(cell, 'Colour: black; Weight: 12 g').map(([name, value]) => ({ name, value }));
const writeAttributes = (attributes: Product['attributes']): string =>
  attributes
    .map(({ name, value }) => `${escapeEntry(name).replaceAll(':', '\\:')}: ${escapeEntry(value)}`)
    .join('; ');
const readBreaks = (cell: FileCell, marks: Marks) =>
  splitPairs(cell, '1000: 5.90; 5000: 5.50').map(([quantity, price]) => ({
    quantity: readPieces(quantity, marks),
    price: readPrice(price, marks),
  }));
const writeBreaks = (breaks: Product['priceBreaks']): string =>
  breaks.map(({ quantity, price }) => `${quantity}: ${writeAmount(price)}`).join('; ');

/** Without a form that is given, `03/04/2026` has two readings. */
function readDay(cell: FileCell): string | null {
  const text = readCode(cell).replace(DATE_CELL, '');
  if (text === NONE) return null;
  const day = readWrittenDay(text);
  if (day === null) throw new FileError(`“${text.slice(0, 40)}” is no certain day. Write it as 2026-11-28.`);
  return day;
}

const pieces = wholeNumber('Must be a whole number').check(atMost(MAX_STOCK));
const schemas = {
  ...requiredFields,
  ...optionalFields,
  add: pieces.check(atLeast(-MAX_STOCK)),
  stock: pieces.check(atLeast(MIN_STOCK)),
  // Returned pieces may pass the most.
  stockWas: wholeNumber('Must be a whole number').check(atLeast(MIN_STOCK)),
  version: pieces.check(atLeast(1)),
  customer: emailField,
  from: pieces.check(atLeast(1)),
  until: z.nullable(z.string()),
  remove: z.literal(true, 'Write “yes”, or leave it empty'),
} satisfies Record<string, z.ZodMiniType>;
type Field = Exclude<keyof typeof schemas, 'image'>;

interface CatalogueColumn {
  name: string;
  field: Field;
  /** Other names; those of number, pieces and price are in `columnsOf`. */
  aliases?: readonly string[];
  /** @returns a value for the schema. @throws FileError */
  read(cell: FileCell, marks: Marks): unknown;
  write?(value: never): string;
  hasLines?: true;
}

const optional =
  <Value>(read: (cell: FileCell, marks: Marks) => Value) =>
  (cell: FileCell, marks: Marks) =>
    readText(cell) === NONE ? null : read(cell, marks);
const writeOptional = (value: number | string | null): string => String(value ?? '');

const cells: Record<CellKind, Pick<CatalogueColumn, 'read' | 'write' | 'hasLines'>> = {
  number: { read: readNumber },
  text: { read: readText },
  lines: { read: readText, hasLines: true },
  kind: { read: readKind },
  price: { read: readPrice, write: writeAmount },
  pieces: { read: readPieces },
  breaks: { read: readBreaks, write: writeBreaks, hasLines: true },
  promise: { read: optional(readPieces), write: writeOptional },
  successor: { read: optional(readNumber), write: writeOptional },
  day: { read: readDay, write: writeOptional },
  attributes: { read: readAttributes, write: writeAttributes, hasLines: true },
  list: { read: readList, write: writeList, hasLines: true },
};

/** The number, which names the part, stands first. */
const editedFields = ['number', ...EDITED_FIELDS.filter((field) => field !== 'number')] as const;

const columns: readonly CatalogueColumn[] = [
  ...editedFields.map((field): CatalogueColumn => {
    const { column, aliases = [], cell } = fieldFacts[field];
    return { name: column, field, aliases, ...cells[cell] };
  }),
  { name: 'add', field: 'add', read: readPieces },
  {
    name: 'stock',
    field: 'stock',
    aliases: ['on hand', 'in stock', 'bestand', 'lagerbestand'],
    read: readPieces,
  },
  { name: 'stock was', field: 'stockWas', read: readPieces },
  { name: 'version', field: 'version', read: readPieces },
  {
    name: 'remove',
    field: 'remove',
    read: (cell) => foldName(readText(cell)) === 'yes',
    write: () => 'yes',
  },
];

const pickColumns = (...fields: readonly Field[]): CatalogueColumn[] =>
  columns.filter(({ field }) => fields.includes(field));

/** A line is the price of a customer for a part, from a quantity on; an empty `from` means 1. */
const priceColumns: readonly CatalogueColumn[] = [
  {
    name: 'customer',
    field: 'customer',
    aliases: ['email', 'e mail', 'customer email', 'kunde', 'client', 'cliente'],
    read: readText,
  },
  ...pickColumns('number'),
  {
    name: 'from',
    field: 'from',
    aliases: ['from quantity', 'from pieces', 'min qty', 'quantity', 'ab', 'ab menge'],
    read: readPieces,
  },
  ...pickColumns('price'),
  {
    name: 'until',
    field: 'until',
    aliases: ['valid until', 'valid to', 'end', 'ends', 'expires', 'bis', 'gültig bis'],
    read: readDay,
    write: writeOptional,
  },
  ...pickColumns('remove'),
];
export const PRICE_COLUMNS: readonly string[] = priceColumns.map(({ name }) => name);

export const CATALOGUE_COLUMNS: readonly string[] = columns.map(({ name }) => name);

const writeField = ({ write = String, field }: CatalogueColumn, fields: object): string =>
  write(Reflect.get(fields, field) as never);

/** For a file of all parts. */
export const catalogueColumns: Readonly<Record<string, (part: Product) => string>> = Object.fromEntries(
  columns.flatMap((column) => {
    const write = (part: Product) =>
      writeField(column, { ...part, stock: part.quantity, stockWas: part.quantity });
    return ['add', 'remove'].includes(column.field) ? [] : [[column.name, write]];
  }),
);

/** As cells by column. */
export const writeFields = (fields: LineFields): Record<string, string> =>
  Object.fromEntries(
    [...new Set([...columns, ...priceColumns])].flatMap((column) =>
      Reflect.get(fields, column.field) === undefined
        ? []
        : [[column.name, writeField(column, fields) || NONE]],
    ),
  );

/** `image` and `quantity` of a new part are columns of other names. */
const otherFields: Partial<Record<PropertyKey, Field>> = { image: 'images', quantity: 'stock' };
export const nameField = (field: PropertyKey = ''): string =>
  columns.find((column) => column.field === (otherFields[field] ?? field))?.name ?? '';

export type FileKind = 'parts' | 'prices';

export type LineProblem = z.infer<typeof lineProblemSchema>;
export interface ReadLine {
  line: number;
  number: string;
  /** An e-mail address; of a line of prices alone, as is `from`. */
  customer?: string;
  from?: number;
  fields: LineFields;
  problems: LineProblem[];
  warning?: string;
}
export interface ReadFile {
  kind: FileKind;
  /** The file's names, and the columns that they mean; null for an unused one. */
  columns: { name: string; column: string | null }[];
  /** Sentences about unused content. */
  notes: string[];
  lines: ReadLine[];
}

/** @throws FileError for uncertain columns, and as `takeLines` */
export function readCatalogueCsv(text: string): ReadFile {
  const { rows, separator } = readCsv(text, isHeader);
  return readCatalogue(rows, separator);
}

type IsHeader = (names: readonly FileCell[]) => boolean;

/** @param isHeader finds the separator, by the row that names the columns */
export function readCsv(text: string, isHeader: IsHeader): { rows: FileRow[]; separator: string } {
  const { content, separator } = findHeader(text, (_, names) => isHeader(names));
  let within = 0;
  const rows = readRows(content, separator, MAX_FILE_ROWS).map((row): FileRow => {
    // As spreadsheets count: a line break in quotes begins no row.
    const line = row.line - within;
    within += row.text.split('\n').length - 1;
    return { ...row, line };
  });
  return { rows, separator };
}

type PriceKey = Required<Pick<ReadLine, 'number' | 'customer' | 'from'>>;
type Found = readonly (CatalogueColumn | undefined)[];

/** Null for a row that names no columns. */
function findKind(names: readonly FileCell[]): FileKind | null {
  if (names.length > MAX_COLUMNS) return null;
  const has = (known: readonly CatalogueColumn[], ...needed: readonly Field[]) => {
    const found = findColumns(names.map(String), known).flatMap((column) => column?.field ?? []);
    return found.length > 1 && needed.every((field) => found.includes(field));
  };
  if (has(priceColumns, 'customer', 'number')) return 'prices';
  return has(columns, 'number') ? 'parts' : null;
}
const isHeader: IsHeader = (names) => findKind(names) !== null;

function findColumns(names: readonly string[], known: readonly CatalogueColumn[]): Found {
  const { named } = columnsOf(names);
  const find = (isSame: (column: CatalogueColumn) => boolean) => known.find(isSame);
  const found = names.map((name) => {
    const folded = foldName(name).replaceAll(' ', '');
    const meant = (['number', 'add', 'price'] as const).find((meaning) => named[meaning].includes(name));
    return (
      find(({ name, aliases = [] }) =>
        [name, ...aliases].some((own) => own.replaceAll(' ', '') === folded),
      ) ?? find(({ field }) => field === meant)
    );
  });
  // Beside other fields a quantity may be the stock.
  if (found.every((column) => !column || ['number', 'add', 'price'].includes(column.field))) return found;
  return found.map((column, index) =>
    column?.field === 'add' && isVague(names[index]) ? undefined : column,
  );
}

/** A quantity is to add, or in stock. */
const isVague = (name = ''): boolean => !foldName(name).includes('add');

/** A longer name of a column is cut when it is shown. */
const MAX_NAME = 100;
const NO_HEADER = `No line of at most ${MAX_COLUMNS} cells names the columns. Write “number” and other columns into the first line.`;

const ONE_CELL =
  'Each line is one quoted cell. Open the first file by “Data, From text”, or send the XLSX, so that columns stay columns.';
const isOneCell = ({ cells: [cell, ...others] }: FileRow): boolean =>
  others.length === 0 && /^[^,;\t]+[,;\t]/.test(String(cell));

/**
 * Finds the columns by name in the first rows.
 * @param separator absent for a workbook
 * @throws FileError as `readCatalogueCsv`
 */
export function readCatalogue(rows: readonly FileRow[], separator?: string): ReadFile {
  const header = rows.slice(0, HEADER_ROWS).find(({ cells }) => isHeader(cells));
  if (!header)
    throw new FileError(
      rows.some((row) => isOneCell(row) && isHeader(String(row.cells[0]).split(/[,;\t]/)))
        ? ONE_CELL
        : NO_HEADER,
    );
  const names = header.cells.map((cell) => String(cell).slice(0, MAX_NAME).replace(controls, ''));
  const kind = findKind(header.cells) ?? 'parts';
  const found = findColumns(names, kind === 'parts' ? columns : priceColumns);
  refuseColumns(names, found);
  const { lines: used, notes } = takeLines(rows, header, isHeader, MAX_IMPORT_LINES);
  const price = found.findIndex((column) => column?.field === 'price');
  const prices = used.map(({ cells }) => cells[price] ?? '').filter((cell) => typeof cell === 'string');
  const marks = findPriceMarks(prices.map(readCode));
  // Without a price to compare with, a comma between commas is surely of thousands.
  const pieceMarks = marks.size === 0 && separator === ',' ? new Set(['.']) : marks;
  const vague = kind === 'parts' && columnsOf(names).named.add.find(isVague);
  const isAdded = vague && found[names.indexOf(vague)];
  return {
    kind,
    columns: names.flatMap((name, index) =>
      name === '' ? [] : { name, column: found[index]?.name ?? null },
    ),
    notes: [
      ...notes,
      ...(isAdded
        ? [`“${vague}” is added to the stock. To set the stock, write “stock” and “stock was”.`]
        : []),
      ...(vague && !isAdded ? [`“${vague}” is not read. Name it “add” for pieces to add, or “stock”.`] : []),
    ],
    lines: joinAdditions(used.map((row) => readLine(row, found, marks, pieceMarks))),
  };
}

function refuseColumns(names: readonly string[], found: Found): void {
  if (isOrdersFile(names)) throw new FileError('This is a file of orders: its quantities left the stock.');
  const twin = found.findIndex((column, index) => column && found.indexOf(column) < index);
  if (twin !== -1) {
    const other = names[found.indexOf(found[twin])];
    throw new FileError(`The columns “${other}” and “${names[twin]}” mean the same. Leave one of them out.`);
  }
}

/**
 * Those below the header, up to a wrong quote, which may shift every later cell.
 * @throws FileError for a repeated header, more than `most` lines, or none
 */
export function takeLines(
  rows: readonly FileRow[],
  header: FileRow,
  isHeader: IsHeader,
  most: number,
): { lines: FileRow[]; notes: string[] } {
  const below = rows.filter(({ line }) => line > header.line);
  const again = below.find(({ cells }) => isHeader(cells));
  if (again)
    throw new FileError(`Line ${again.line} names columns again. Choose its lines as a file of their own.`);
  if (below.length === 0) throw new FileError('This file has no lines below its column names.');
  if (below.length > most) throw new FileError(`A file has at most ${formatPieces(most)} lines. Split it.`);
  const wrong = below.findIndex(({ quote }) => quote && quote !== 'covers');
  const late = `The lines before line ${header.line}, which names the columns, are not read.`;
  return {
    lines: wrong === -1 ? below : below.slice(0, wrong + 1),
    notes: rows[0] === header ? [] : [late],
  };
}

const countCells = (cells: readonly FileCell[]): number => cells.findLastIndex((cell) => cell !== '') + 1;

function readLine(row: FileRow, found: Found, marks: Marks, pieceMarks: Marks): ReadLine {
  const { line, cells } = row;
  const misfit = refuseLine(row, found);
  if (misfit !== null)
    return { line, number: '', fields: {}, problems: [{ line, column: '', message: misfit }] };
  const problems: LineProblem[] = [];
  const fields: Partial<Record<Field, unknown>> = {};
  for (const [index, column] of found.entries()) {
    const cell = cells[index] ?? '';
    if (!column || cell === '') continue;
    try {
      fields[column.field] = readCell(column, cell, column.read === readPieces ? pieceMarks : marks);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push({ line, column: column.name, message: error.message });
    }
  }
  const { number = '', customer, from = 1, ...changes } = fields as LineFields & Partial<PriceKey>;
  const { remove, version } = changes;
  const isMissing = problems.length === 0 && number === '';
  if (isMissing) problems.push({ line, column: 'number', message: 'The part number is missing.' });
  const isNobody = found.some((column) => column?.field === 'customer') && customer === undefined;
  if (problems.length === 0 && isNobody)
    problems.push({ line, column: 'customer', message: 'The customer’s e-mail address is missing.' });
  const swallowed = row.quote && cells.flatMap((cell) => String(cell).split('\n').slice(1)).find(isLine);
  return {
    line,
    number: String(number),
    ...(customer !== undefined && { customer: customer.toLowerCase(), from }),
    problems,
    fields: remove ? { remove, ...(version !== undefined && { version }) } : changes,
    ...(swallowed && {
      warning: `“${swallowed.slice(0, 20)}” is read as text, and may be a line of its own.`,
    }),
  };
}

/** Whether it seems to begin with a part number. */
function isLine(text: string): boolean {
  const [number = '', next] = text.split(/[,;\t]/, 2);
  return next !== undefined && /\d/.test(number) && isPartNumber(foldPartNumber(number).toUpperCase());
}

/** Null for a line that fits the columns. */
export function refuseLine(
  row: FileRow,
  found: readonly (Pick<CatalogueColumn, 'hasLines'> | undefined)[],
): string | null {
  const { cells, quote, text } = row;
  if (quote === 'open') return 'A quote in this line is never closed. Nothing from here on is read.';
  if (quote === 'stray') return 'A quote in this line does not end its cell. Nothing from here on is read.';
  const isCovered = cells.some((cell, index) => !found[index]?.hasLines && String(cell).includes('\n'));
  if (quote && isCovered) return coveringQuote;
  if (found.length > 1 && quote === undefined && isOneCell(row)) return ONE_CELL;
  const count = countCells(cells);
  if (count <= found.length) return null;
  return text !== undefined
    ? `This line has ${count} cells, but there are ${found.length} columns. Put figures with commas in quotes.`
    : `“${String(cells[count - 1]).slice(0, 20)}” stands beside the table, in cell ${count}. Remove it, or name its column.`;
}

/** In the words of Excel's and LibreOffice's languages, such as `#NV`, `#¡VALOR!` and `Err:508`. */
const brokenCell =
  /^(?:#¡?\p{Lu}[\p{Lu}\p{N}_/]{0,30}[!?]?|#{2,250}|Loading(?:\.{3}|…)|(?:Err(?:ore?|o|eur)?|Fehler|Fout|Fel|Fe[ij]l|Virhe|Błąd|Chyba|Hiba|Ошибка) ?:\d{3})$/u;
const markers: Record<string, string> = {
  [DATE_CELL]: 'The spreadsheet has a date here. Format the column as text and write it again.',
  [UNCALCULATED_CELL]:
    'This formula was never calculated. Open the file in a spreadsheet program, save it there, and send it again.',
};

/** The database takes no NUL and no half of a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these letters are refused.
const controls = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\ud800-\udfff]/gu;

/** Spreadsheets allow no more. Reading megabytes takes seconds. */
const MAX_CELL = 32_767;

/** Null for a cell that may be read. */
export function explainBroken(cell: FileCell): string | null {
  const text = String(cell).trim();
  if (text.length > MAX_CELL) return 'Is too long';
  if (text.search(controls) !== -1)
    return 'Has a letter that cannot be shown. Save the file as UTF-8 or XLSX.';
  const marker = Object.keys(markers).find((each) => text.startsWith(each)) ?? '';
  const broken = `The spreadsheet has ${cell} here. Format the column as text and write it again.`;
  return markers[marker] ?? (brokenCell.test(text) ? broken : null);
}

function readCell(column: CatalogueColumn, cell: FileCell, marks: Marks): unknown {
  if (column.read === readText && cell === NONE) throw new FileError('Cannot be empty');
  const isDate = column.read === readDay && String(cell).startsWith(DATE_CELL);
  const broken = isDate ? null : explainBroken(cell);
  if (broken !== null) throw new FileError(broken);
  const read = schemas[column.field].safeParse(column.read(cell, marks));
  if (read.success) return read.data;
  throw new FileError(read.error.issues[0]?.message ?? 'Is not of the right kind');
}

/** What a file has one line for. */
const nameLine = ({ number, customer = '', from = 0 }: ReadLine): string =>
  [number, from, customer].join(' ');

/** A refused name is nobody's. */
const isNamed = ({ number, problems }: ReadLine): boolean =>
  number !== '' && !problems.some(({ column }) => column === 'customer' || column === 'from');

const isAddition = ({ number, customer, fields: { add: _, ...rest }, problems }: ReadLine): boolean =>
  number !== '' && customer === undefined && problems.length === 0 && Object.keys(rest).length === 0;

/** A scanner writes one line for each piece; all else stands once. */
function joinAdditions(lines: readonly ReadLine[]): ReadLine[] {
  const named = Map.groupBy(lines.filter(isNamed), nameLine);
  for (const [name, same] of named) {
    if (same.length === 1 || !same.every(isAddition)) continue;
    const add = same.reduce((sum, { fields }) => sum + (fields.add ?? 0), 0);
    named.set(name, [{ ...(same[0] as ReadLine), fields: { add } }]);
  }
  return lines.flatMap((each): ReadLine[] => {
    const same = named.get(nameLine(each)) ?? [];
    if (!isNamed(each)) return [each];
    if (same.length === 1) return same[0]?.line === each.line ? same : [];
    const other = same.find((one) => one !== each)?.line;
    const message = `${each.number} stands in line ${other}, too. Keep one of them.`;
    return [{ ...each, problems: [...each.problems, { line: each.line, column: 'number', message }] }];
  });
}
