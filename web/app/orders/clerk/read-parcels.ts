import { beginDay } from '@parts-forge/contract/days';
import { readPieces } from '@parts-forge/contract/number-text';
import type { ParcelLine } from '@parts-forge/contract/order-bulk';
import { readRows } from '@parts-forge/contract/table';
import * as z from 'zod/mini';
import { isWorkbook } from '#app/ui/read-text-file.ts';

const names: Record<Exclude<keyof ParcelLine, 'despite'>, readonly string[]> = {
  order: ['order', 'order number', 'order no', 'order id'],
  carrier: ['carrier'],
  number: ['number', 'parcel number', 'parcel', 'tracking number'],
  sentAt: ['sent', 'sent at', 'date sent', 'date'],
  quantity: ['quantity', 'pieces'],
};
export type DatedParcel = ParcelLine & { sentAt: string };

const needed = ['order', 'carrier', 'number'] as const;

/**
 * The first line names the columns. The shop checks the lines.
 * @param today sent on, where a line has no date
 * @throws Error with a sentence that has the columns, when one is missing
 */
export function readParcels(text: string, today: string): DatedParcel[] {
  if (isWorkbook(text)) throw new Error('This is an Excel workbook: save it as CSV.');
  const content = text.replace(/^\uFEFF/, '').trimStart();
  const [firstLine = ''] = content.split(/[\r\n]/, 1);
  const separator = ['\t', ';', ','].find((each) => firstLine.includes(each)) ?? ',';
  const [header, ...rows] = readRows(content, separator);
  if (!header) return [];
  const columns = header.cells.map((cell) => cell.toLowerCase().replace(/[\s_.-]+/g, ' '));
  const findPlace = (field: keyof typeof names) =>
    columns.findIndex((column) => names[field].includes(column));
  const missing = needed.filter((field) => findPlace(field) === -1);
  if (missing.length > 0) {
    throw new Error(`The columns are ${quote(header.cells)}. There is none for ${quote(missing)}.`);
  }
  return rows.map(({ cells }) => {
    const read = (field: keyof typeof names) => cells[findPlace(field)] ?? '';
    return {
      order: read('order'),
      carrier: read('carrier'),
      number: read('number'),
      sentAt: read('sentAt') || today,
      // The shop refuses the line of an unreadable figure, which JSON could not have.
      ...(read('quantity') !== '' && { quantity: readPieces(read('quantity')) || 0 }),
    };
  });
}

/** Start of a day in the shop's time zone. The shop refuses other texts. */
export const beginSentDay = (text: string, timeZone: string): string =>
  z.iso.date().safeParse(text).success ? beginDay(text, timeZone).toISOString() : text;

const quote = (words: readonly string[]) => words.map((word) => `“${word.slice(0, 40)}”`).join(', ');
