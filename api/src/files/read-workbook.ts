import { posix } from 'node:path';
import { MAX_COLUMNS } from '@parts-forge/contract/files/column-names';
import {
  DATE_CELL,
  type FileCell,
  FileError,
  type FileRow,
  MAX_FILE_ROWS,
  UNCALCULATED_CELL,
} from '@parts-forge/contract/files/table';
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { decodeText } from './decode-text.ts';

/** Unpacked, of all parts that are read: 1.7 MB may unpack to 200 MB. */
const MAX_UNPACKED_BYTES = 24 * 1024 ** 2;

/**
 * The first visible sheet, whose merged cells and hidden rows are noted. Libraries for XLSX keep no cell as
 * it is written: they read `<v>0x10</v>` as 16 or 0, or `<c t="s"/>` as the first shared text.
 * @throws FileError
 */
export function readWorkbook(content: Uint8Array): { rows: FileRow[]; notes: string[] } {
  try {
    return readParts(openParts(content));
  } catch (error) {
    // fflate, saxes or the decoder threw it.
    throw error instanceof FileError ? error : damaged();
  }
}

const damaged = () =>
  new FileError('This workbook is damaged or no XLSX file. Save it again, or save it as CSV.');

/** Programs differ in case, slashes and places of names. */
const foldPath = (path: string): string => posix.resolve('/', path.replaceAll('\\', '/')).toLowerCase();

/** Unpacks a part when it is read; fflate unpacks to no more than was announced. */
function openParts(content: Uint8Array): (path: string) => string {
  const names = new Map<string, string>();
  unzipSync(content, {
    filter: ({ name }) => {
      names.set(foldPath(name), name);
      return false;
    },
  });
  const other = otherKinds.find(([path]) => names.has(path));
  if (other) throw new FileError(`This is ${other[1]}. Save it as XLSX or CSV.`);
  let total = 0;
  return (path) => {
    const wanted = names.get(foldPath(path));
    const found = unzipSync(content, {
      filter: ({ name, originalSize }) => {
        if (name !== wanted) return false;
        total += originalSize;
        if (total > MAX_UNPACKED_BYTES)
          throw new FileError(
            'This workbook unpacks to too much. Remove other sheets and empty rows, or save it as CSV.',
          );
        return true;
      },
    });
    return wanted === undefined ? '' : decodeText(found[wanted] ?? new Uint8Array()).text;
  };
}

const otherKinds = [
  ['/content.xml', 'an OpenDocument file'],
  ['/xl/workbook.bin', 'a binary workbook (XLSB)'],
  ['/index/document.iwa', 'a Numbers file'],
  ['/word/document.xml', 'a Word document'],
] as const;

interface Tag {
  /** The local name: writers choose other prefixes for the same element. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** The name of the tag around it. */
  parent: string;
  /** Before the next tag. */
  text: string;
}

/** @throws Error for XML that is not well-formed, or has entities of its own */
function parse(xml: string, onEnd: (tag: Tag) => void, onBegin?: (tag: Tag) => void): void {
  const open: Tag[] = [];
  const parser = new SaxesParser();
  const onText = (text: string) => {
    const tag = open.at(-1);
    if (tag) tag.text += text;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('opentag', ({ name, attributes }) => {
    const tag = {
      name: name.slice(name.indexOf(':') + 1),
      attributes,
      parent: open.at(-1)?.name ?? '',
      text: '',
    };
    open.push(tag);
    onBegin?.(tag);
  });
  parser.on('closetag', () => onEnd(open.pop() as Tag));
  parser.write(xml).close();
}

/** None of a part that is missing. */
function listTags(xml: string): Tag[] {
  const tags: Tag[] = [];
  if (xml !== '') parse(xml, (tag) => tags.push(tag));
  return tags;
}

const isTrue = (text = ''): boolean => text === '1' || text === 'true';

function readParts(readPart: (path: string) => string): { rows: FileRow[]; notes: string[] } {
  const relate = (path: string) => {
    const { dir, base } = posix.parse(path);
    const list = listTags(readPart(`${dir}/_rels/${base}.rels`)).map(({ attributes }) => attributes);
    return (isMeant: (type: string, id?: string) => boolean) => {
      const { Target: target } = list.find(({ Type = '', Id }) => isMeant(Type, Id)) ?? {};
      return target === undefined ? '' : posix.resolve('/', dir, target);
    };
  };
  const book = relate('/')((type) => type.endsWith('/officeDocument')) || '/xl/workbook.xml';
  const tags = listTags(readPart(book));
  const find = relate(book);
  const sheets = tags.flatMap(({ name, parent, attributes }) => {
    if (name !== 'sheet' || parent !== 'sheets' || attributes.state?.includes('idden')) return [];
    const [, id] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
    const path = find((type, each) => each === id && !/\/(?:chart|dialog|macro)sheet$/i.test(type));
    return path === '' ? [] : { title: attributes.name ?? '', path };
  });
  const [sheet] = sheets;
  if (!sheet) throw damaged();
  const calculation = tags.find(({ name }) => name === 'calcPr')?.attributes;
  const part = (type: string) => readPart(find((each) => each.endsWith(`/${type}`)));
  const { rows, notes } = readSheet(readPart(sheet.path), {
    texts: readTexts(part('sharedStrings')),
    formats: readFormats(listTags(part('styles'))),
    is1904: isTrue(tags.find(({ name }) => name === 'workbookPr')?.attributes.date1904),
    isStale: isTrue(calculation?.fullCalcOnLoad) || calculation?.calcCompleted === '0',
  });
  const only = sheets.length > 1 ? [`Only the sheet “${sheet.title.slice(0, 100)}” is read.`] : [];
  return { rows, notes: [...only, ...notes] };
}

/** Numbers of the date formats that come with spreadsheets; from 27 to 58 some are of East Asia. */
const dateFormat = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/;

/** Format codes by cell style. */
function readFormats(tags: readonly Tag[]): string[] {
  const codes = new Map(
    tags.flatMap(({ name, attributes: { numFmtId = '', formatCode = '' } }) =>
      name === 'numFmt' ? [[numFmtId, formatCode]] : [],
    ),
  );
  return tags
    .filter(({ name, parent }) => name === 'xf' && parent === 'cellXfs')
    .map(
      ({ attributes: { numFmtId = '' } }) => codes.get(numFmtId) ?? (dateFormat.test(numFmtId) ? 'd' : ''),
    );
}

/** Texts, fill letters, languages, currencies, colours and conditions show no date; `[h]` is a duration. */
const showsDate = (code: string): boolean =>
  /[dmyhsbe]|aaa|gg/i.test(
    code.replace(/"[^"]*"?|[\\_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]?|General|Standard|E[+-]/gi, ''),
  );

/** The reading aids of Japanese texts stand in `rPh`. */
const isOfText = ({ name, parent }: Tag): boolean => name === 't' && ['si', 'is', 'r'].includes(parent);

function readTexts(xml: string): string[] {
  const texts: string[] = [];
  let text = '';
  if (xml === '') return texts;
  parse(xml, (tag) => {
    if (isOfText(tag)) text += tag.text;
    if (tag.name !== 'si') return;
    texts.push(toText(text));
    text = '';
  });
  return texts;
}

interface Book {
  texts: readonly string[];
  formats: readonly string[];
  /** Whether results of formulas are only placeholders. */
  isStale: boolean;
  is1904: boolean;
}

function readSheet(xml: string, book: Book): { rows: FileRow[]; notes: string[] } {
  const rows: FileRow[] = [];
  let cells: FileCell[] = [];
  let line = 0;
  let value: string | undefined;
  let isFormula = false;
  let hidden = 0;
  const merged: string[] = [];
  const onBegin = ({ name, attributes }: Tag) => {
    if (name === 'row') {
      // Lines rise, else two could have one number.
      const given = Number(attributes.r);
      line = Number.isSafeInteger(given) && given > line ? given : line + 1;
      cells = [];
    } else if (name === 'c') {
      value = undefined;
      isFormula = false;
    }
  };
  const onEnd = (tag: Tag) => {
    const { name, attributes, parent, text } = tag;
    if (name === 'f' && parent === 'c') isFormula = true;
    else if (name === 'v' && parent === 'c') value = text;
    else if (isOfText(tag)) value = `${value ?? ''}${text}`;
    else if (name === 'c' && parent === 'row') {
      const place = readPlace(attributes.r, cells.length);
      if (place >= MAX_COLUMNS) return;
      while (cells.length < place) cells.push('');
      const isUncalculated =
        isFormula && (book.isStale || value === undefined || (value === '' && attributes.t !== 'str'));
      cells[place] = isUncalculated ? UNCALCULATED_CELL : readCell(attributes, value ?? '', book);
    } else if (name === 'row' && rows.length < MAX_FILE_ROWS && cells.some((each) => each !== '')) {
      rows.push({ line, cells });
      if (isTrue(attributes.hidden)) hidden += 1;
    } else if (
      name === 'mergeCell' &&
      Number(attributes.ref?.split(':').at(-1)?.replace(/\D/g, '')) > (rows[0]?.line ?? 0)
    )
      merged.push(attributes.ref ?? '');
  };
  parse(xml, onEnd, onBegin);
  return {
    rows,
    notes: [
      ...(merged.length > 0 ? [`Of merged cells, such as ${merged[0]}, only the first has a value.`] : []),
      ...(hidden > 0 ? [`${hidden} hidden ${hidden === 1 ? 'line is' : 'lines are'} read, too.`] : []),
    ],
  };
}

/** `B7` is 1. @param next the place without a reference */
function readPlace(reference = '', next: number): number {
  const [letters = ''] = /^[A-Z]{0,3}/.exec(reference.toUpperCase()) ?? [];
  const count = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return count === 0 ? next : count - 1;
}

function readCell({ t: type = 'n', s: style }: Tag['attributes'], value: string, book: Book): FileCell {
  const text = value.trim();
  if (type === 's' && text !== '') {
    const shared = book.texts[Number(text)];
    if (shared === undefined) throw damaged();
    return shared;
  }
  if (type === 'b' && text !== '') return isTrue(text) ? 'TRUE' : 'FALSE';
  if ((type !== 'n' && type !== 'd') || text === '') return toText(value);
  const format = book.formats[Number(style ?? 0)] ?? '';
  // Before March 1900 serial numbers count a day that was none.
  const serial = Number(text) + (book.is1904 ? 1462 : 0);
  const isDay = type === 'n' && serial > 60 && serial < 100_000;
  const day = isDay ? new Date(Math.floor(serial - 25_569) * 86_400_000).toJSON() : text;
  if (type === 'd' || showsDate(format)) return DATE_CELL + day.slice(0, 10);
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) return text;
  // `00123` may be 123 with this format.
  return /^0{2,}$/.test(format) && Number.isSafeInteger(number) ? text.padStart(format.length, '0') : number;
}

/** `_x000A_` is a character that XML cannot have. */
const toText = (text: string): string =>
  text
    .replace(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\r\n?/g, '\n')
    .trim();
