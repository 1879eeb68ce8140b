import { MAX_PARCEL_LINES } from '../calls/bounds.ts';
import type { ParcelLine } from '../orders/order-bulk.ts';
import { explainParcelNumber } from '../orders/shipments.ts';
import { beginDay } from '../text/days.ts';
import { type DayForm, findDayForms, isOpenDay, readWrittenDay } from '../text/written-day.ts';
import { explainBroken, readCode, readCsv, refuseLine, takeLines } from './catalogue-file.ts';
import { foldName, MAX_COLUMNS } from './column-names.ts';
import { explainPieces, readFilePieces } from './number-text.ts';
import { DATE_CELL, type FileCell, FileError, type FileRow, HEADER_ROWS } from './table.ts';

/** A carrier's file of parcels: its columns, and the reading of lines. */

export type ParcelField = keyof typeof names;
/** Says at which index each column stands. */
export type ParcelPlaces = Partial<Record<ParcelField, number>>;

/** Folded names (`foldName`), of the shop and of carriers. */
const names = {
  order:
    /^(?:(?:customer |your |shipment )?(?:order|reference|referenz|ref)(?: ?(?:number|no|nr|id|#|1))?|(?:auftrags|bestell)(?:nummer|nr)|kundenreferenz)$/,
  number:
    /^(?:number|parcel|(?:parcel|tracking|shipment|consignment)(?: ?(?:number|no|nr|id|code|#))?|(?:sendungs|paket|tracking)(?:nummer|nr)|waybill|awb)$/,
  carrier: /^(?:(?:shipping )?carrier(?: name)?|courier|versanddienstleister)$/,
  sentAt:
    /^(?:sent|sent at|shipped|(?:day|date) (?:sent|shipped)|(?:(?:ship|shipping|shipment|shipped|dispatch) )?date|(?:versand|sende)?datum)$/,
  quantity: /^(?:quantity|qty|pieces|pcs|menge|stück)$/,
} as const satisfies Record<Exclude<keyof ParcelLine, 'despite'>, RegExp>;
export const PARCEL_FIELDS = Object.keys(names) as ParcelField[];

const findColumns = (cells: readonly FileCell[], field: ParcelField): number[] =>
  cells.flatMap((cell, index) => (names[field].test(foldName(String(cell))) ? index : []));

const isHeader = (cells: readonly FileCell[]): boolean =>
  PARCEL_FIELDS.filter((field) => findColumns(cells, field).length > 0).length > 1;

/** Bounds all lines together: the answer is one JSON. */
const MAX_TEXT = 2_000_000;

export interface ParcelTable {
  names: string[];
  /** Suggested; of two columns that may mean the same none is. */
  places: ParcelPlaces;
  lines: FileRow[];
  separator?: string | undefined;
  notes: string[];
}

export function readParcelCsv(text: string): ParcelTable {
  const { rows, separator } = readCsv(text, isHeader);
  return readParcelRows(rows, separator);
}

/**
 * Finds the columns by name in the first rows; without known names the first row has them.
 * @param separator absent for a workbook
 * @throws FileError without names, and as `takeLines`
 */
export function readParcelRows(rows: readonly FileRow[], separator?: string): ParcelTable {
  const isNamed = ({ cells }: FileRow) => cells.every((cell) => /^$|\p{L}/u.test(String(cell)));
  const header =
    rows.slice(0, HEADER_ROWS).find(({ cells }) => isHeader(cells)) ?? rows.slice(0, 1).find(isNamed);
  if (!header)
    throw new FileError('The first line must name the columns, such as “order” and “parcel number”.');
  const { lines: below, notes } = takeLines(rows, header, isHeader, MAX_PARCEL_LINES);
  const lines = below.map(({ text: _, ...row }) => row);
  if (header.cells.length > MAX_COLUMNS || JSON.stringify([header, lines]).length > MAX_TEXT)
    throw new FileError('This file has too many columns or too long texts. Keep the columns of the parcels.');
  const places: ParcelPlaces = {};
  for (const field of PARCEL_FIELDS) {
    const [place, twin] = findColumns(header.cells, field);
    if (place !== undefined && twin === undefined) places[field] = place;
  }
  return { names: header.cells.map(String), places, lines, separator, notes };
}

/** Null for an unreadable one. A day means its start in the shop's time zone. */
function readSentAt(text: string, timeZone: string, form?: DayForm): string | null {
  const at = /T[\d:.]{1,20}(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? new Date(text).getTime() : Number.NaN;
  const day = readWrittenDay(text, form);
  // JavaScript reads 30 February as 2 March.
  if (day !== null && !Number.isNaN(at)) return new Date(at).toISOString();
  return day === null ? null : beginDay(day, timeZone).toISOString();
}

/** `10305, 10306`, also behind `Orders`. */
const severalOrders = /^(?:orders? )?#?\d{4,}(?:[\s,;/+&]+#?\d{4,})+$/i;

/** What the clerk chose. */
export interface ParcelChoice {
  places: ParcelPlaces;
  /** For lines that name none. */
  carrier: string;
  form?: DayForm | undefined;
  /** For lines that name no day. */
  today: string;
  timeZone: string;
  /** Typed from the labels, by line. */
  numbers: Readonly<Record<number, string>>;
}

export interface ReadParcel {
  row: FileRow;
  /** As the file has it, or as typed. */
  number: string;
  /** One for each order in the box; none for a refused line. */
  parcels: (ParcelLine & { sentAt: string })[];
  /** `column` is the file's name, empty for the whole line. */
  problem: { column: string; field: ParcelField | null; message: string } | null;
}

/** The shop checks what the lines say. `days` has those with two readings. */
export function readParcels(
  { lines: rows, names, separator }: ParcelTable,
  { places, carrier, today, timeZone, numbers, ...choice }: ParcelChoice,
): { lines: ReadParcel[]; days: ReturnType<typeof findDayForms> } {
  const find = ({ line, cells }: FileRow, field: ParcelField): FileCell => {
    const cell = (field === 'number' && numbers[line]) || (cells[places[field] ?? -1] ?? '');
    return field === 'sentAt' ? String(cell).replace(DATE_CELL, '') : cell;
  };
  const days = findDayForms(rows.map((row) => readCode(find(row, 'sentAt'))));
  const form = choice.form ?? (days?.forms.length === 1 ? days.forms[0] : undefined);
  const isCut = (row: FileRow) => {
    const cell = find(row, 'number');
    return typeof cell === 'number' ? cell >= 1e15 : separator !== undefined && /^\d{15}0+$/.test(cell);
  };
  // One long number may end in a zero or two by itself.
  const areCut = rows.every((row) => !/^\d{16}/.test(readCode(find(row, 'number'))) || isCut(row));
  // Without a price to compare with, a comma between commas is surely of thousands.
  const marks = new Set(separator === ',' ? ['.'] : []);
  const lines = rows.map((row): ReadParcel => {
    const read = (field: ParcelField) => readCode(find(row, field));
    const [number, day, pieces] = [read('number'), read('sentAt'), read('quantity')];
    const several = severalOrders.test(read('order')) && read('order').match(/\d+/g);
    const orders = several || [read('order')];
    const sentAt = readSentAt(day || today, timeZone, form);
    const quantity = pieces === '' ? undefined : readFilePieces(pieces, marks);
    const isLost = !numbers[row.line] && isCut(row) && (areCut || number.length > 17);
    const problems: [field: ParcelField | null, message: string | false | null][] = [
      [null, refuseLine(separator === undefined ? row : { ...row, text: '' }, Array(names.length))],
      ...PARCEL_FIELDS.map((field): [ParcelField, string | null] => [field, explainBroken(find(row, field))]),
      ['number', explainParcelNumber(number)],
      ['number', isLost && 'Spreadsheets keep 15 digits of a number. Take it from the label.'],
      ['sentAt', sentAt === null && isOpenDay(day) && !form && 'Choose above how the file writes days.'],
      ['sentAt', sentAt === null && `“${day}” is no day. Write it as 2026-11-28.`],
      ['quantity', Number.isNaN(quantity) && explainPieces(pieces)],
      ['quantity', orders.length > 1 && pieces !== '' && 'Leave it empty beside several orders.'],
    ];
    for (const [field, message] of problems) {
      const column = field === null ? '' : (names[places[field] ?? -1] ?? '');
      if (message) return { row, number, parcels: [], problem: { column, field, message } };
    }
    const parcel = { carrier: read('carrier') || carrier, number, sentAt: sentAt ?? today, quantity };
    return { row, number, parcels: orders.map((order) => ({ order, ...parcel })), problem: null };
  });
  return { lines, days };
}
