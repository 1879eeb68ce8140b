import { type FileCell, FileError, type FileRow, MAX_FILE_ROWS } from '@parts-forge/contract/catalogue-file';
import { DecodeUTF8, Unzip, UnzipInflate } from 'fflate';

/** Unpacked, of all parts that are read: 1.7 MB may unpack to 200 MB. */
const MAX_UNPACKED_BYTES = 24 * 1024 ** 2;
/** Unpacks to at most 16 MB. */
const PACKED_AT_ONCE = 16 * 1024;
/** Of a sheet; empty ones in between take memory. */
const MAX_COLUMNS = 200;

const isRead = /^xl\/(?:workbook|styles|sharedStrings|_rels\/workbook\.xml|worksheets\/[^/]+)\.(?:xml|rels)$/;

/**
 * The first visible sheet.
 * @throws FileError
 */
export function readWorkbook(content: Uint8Array): { rows: FileRow[]; notes: string[] } {
  const parts = unpack(content);
  const list = (part: string, name: string) =>
    [...readTags(parts[part] ?? '')].filter((tag) => tag.name === name);
  const sheets = list('xl/workbook.xml', 'sheet').filter((sheet) => !sheet.get('state')?.includes('idden'));
  const [sheet] = sheets;
  const target = list('xl/_rels/workbook.xml.rels', 'Relationship')
    .find((relation) => relation.get('Id') === sheet?.get('r:id'))
    ?.get('Target');
  const part = parts[target?.startsWith('/') ? target.slice(1) : `xl/${target}`];
  if (part === undefined) throw damaged();
  const formats = list('xl/styles.xml', 'numFmt').filter((format) => showsDate(format.get('formatCode')));
  const dates = new Set([...DATE_FORMATS, ...formats.map((format) => format.get('numFmtId') ?? '')]);
  const styles = readStyles(readTags(parts['xl/styles.xml'] ?? ''), dates);
  return {
    rows: readRows(part, readSharedTexts(parts['xl/sharedStrings.xml']), styles),
    notes:
      sheets.length > 1
        ? [`Only the sheet “${unescapeXml(sheet?.get('name') ?? '').slice(0, 100)}” is read.`]
        : [],
  };
}

const damaged = () =>
  new FileError('This workbook is damaged or no XLSX file. Save it again, or save it as CSV.');

/** @throws FileError as soon as more is announced or unpacked */
function unpack(content: Uint8Array): Partial<Record<string, string>> {
  const parts: Record<string, string> = Object.create(null);
  let total = 0;
  const count = (bytes: number) => {
    if (bytes > MAX_UNPACKED_BYTES)
      throw new FileError(
        'This workbook unpacks to too much. Remove other sheets and empty rows, or save it as CSV.',
      );
  };
  const unzip = new Unzip((file) => {
    if (!isRead.test(file.name)) return;
    count(file.originalSize ?? 0);
    const decode = new DecodeUTF8((text) => {
      parts[file.name] += text;
    });
    parts[file.name] = '';
    file.ondata = (error, bytes, isLast) => {
      if (error) throw error;
      total += bytes.length;
      count(total);
      decode.push(bytes, isLast);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let from = 0; from < content.length; from += PACKED_AT_ONCE)
      unzip.push(content.subarray(from, from + PACKED_AT_ONCE), from + PACKED_AT_ONCE >= content.length);
    return parts;
  } catch (error) {
    throw error instanceof FileError ? error : damaged();
  }
}

interface Tag {
  /** Without its prefix; an end has a slash before it. */
  name: string;
  get(attribute: string): string | undefined;
  /** Behind the tag. */
  text: string;
}

/** In linear time, since the file may be hostile. An empty tag is a begin and an end. */
function* readTags(xml: string): Generator<Tag> {
  let open = xml.indexOf('<');
  while (open !== -1) {
    const close = xml.indexOf('>', open);
    if (close === -1) return;
    const next = xml.indexOf('<', close);
    const tag = xml.slice(open + 1, close);
    // Comments and CDATA, which spreadsheets do not write.
    if (tag.startsWith('!')) throw damaged();
    const [word = ''] = tag.split(/[\s/]+/, tag.startsWith('/') ? 2 : 1).slice(-1);
    const name = word.slice(word.indexOf(':') + 1);
    const text = xml.slice(close + 1, next === -1 ? undefined : next);
    const get = (attribute: string) => readAttribute(tag, attribute);
    const isEmpty = tag.endsWith('/');
    yield { name: tag.startsWith('/') ? `/${name}` : name, get, text: isEmpty ? '' : text };
    if (isEmpty) yield { name: `/${name}`, get, text };
    open = next;
  }
}

function readAttribute(given: string, name: string): string | undefined {
  const tag = given.replace(/\s/g, ' ');
  const quote = tag.includes(` ${name}="`) ? '"' : "'";
  const start = tag.indexOf(` ${name}=${quote}`);
  if (start === -1) return undefined;
  const from = start + name.length + 3;
  return tag.slice(from, tag.indexOf(quote, from));
}

/** Numbers of formats that come with spreadsheets. */
const DATE_FORMATS = ['14', '15', '16', '17', '18', '19', '20', '21', '22', '45', '46', '47'];

/** The letters of `[Red]0.00` are a colour. */
const showsDate = (format = ''): boolean =>
  /[dmyhs]/i.test(format.replace(/\[\w{1,20}\]|&quot;\w{0,20}&quot;/g, ''));

/** Whether each cell style shows a date. */
function readStyles(tags: Iterable<Tag>, dates: ReadonlySet<string>): boolean[] {
  const styles: boolean[] = [];
  let isInside = false;
  for (const { name, get } of tags) {
    if (name === 'cellXfs' || name === '/cellXfs') isInside = name === 'cellXfs';
    else if (isInside && name === 'xf') styles.push(dates.has(get('numFmtId') ?? ''));
  }
  return styles;
}

/** Without the reading aids of Japanese texts. */
function readSharedTexts(part = ''): string[] {
  const texts: string[] = [];
  let text = '';
  let isAid = false;
  for (const tag of readTags(part)) {
    if (tag.name === 'si') text = '';
    else if (tag.name === 'rPh' || tag.name === '/rPh') isAid = tag.name === 'rPh';
    else if (tag.name === 't' && !isAid) text += tag.text;
    else if (tag.name === '/si') texts.push(unescapeXml(text).trim());
  }
  return texts;
}

/** @throws FileError for a sheet that is cut off */
function readRows(xml: string, texts: readonly string[], dates: readonly boolean[]): FileRow[] {
  const rows: FileRow[] = [];
  let cells: FileCell[] = [];
  let cell: Tag | undefined;
  let value = '';
  let line = 0;
  for (const tag of readTags(xml)) {
    if (tag.name === 'row') {
      if (cells.length > 0) throw damaged();
      // Lines rise, else two could have one number.
      const given = Number(tag.get('r'));
      line = Number.isSafeInteger(given) && given > line ? given : line + 1;
    } else if (tag.name === 'c') {
      cell = tag;
      value = '';
    } else if (tag.name === 'f') value = NO_RESULT;
    else if (tag.name === 'v') value = tag.text;
    else if (tag.name === 't') value += tag.text;
    else if (tag.name === '/c' && cell) {
      const place = readPlace(cell.get('r')) ?? cells.length;
      if (place >= MAX_COLUMNS) continue;
      while (cells.length < place) cells.push('');
      const isDate = cell.get('t') === 'd' || dates[Number(cell.get('s') ?? -1)] === true;
      cells[place] = readCell(cell.get('t'), value, texts, isDate);
    } else if (tag.name === '/row') {
      if (cells.some((each) => each !== '')) rows.push({ line, cells });
      cells = [];
    } else if (tag.name === '/sheetData' || rows.length === MAX_FILE_ROWS) return rows;
  }
  throw damaged();
}

/** Programs that do not calculate write formulas without one. */
const NO_RESULT = '#VALUE!';

/** `B7` is 1. */
function readPlace(reference = ''): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function readCell(type = 'n', value: string, texts: readonly string[], isDate: boolean): FileCell {
  if (type === 's' && texts[Number(value)] === undefined) throw damaged();
  if (type === 's') return texts[Number(value)] ?? '';
  if ((type !== 'n' && type !== 'd') || value === '') return unescapeXml(value).trim();
  return isDate ? '#DATE!' : Number.isNaN(Number(value)) ? value : Number(value);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** `_x000A_` is a character that XML cannot have. */
const unescapeXml = (text: string): string =>
  text
    .replace(/&(#?\w{1,8});/g, (all, name: string) =>
      name.startsWith('#') ? toCharacter(Number(`0${name.slice(1)}`)) : (entities[name] ?? all),
    )
    .replace(/\r\n?/g, '\n')
    .replace(/_x([\da-f]{4})_/gi, (_, hex: string) => toCharacter(Number.parseInt(hex, 16)));

const toCharacter = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
