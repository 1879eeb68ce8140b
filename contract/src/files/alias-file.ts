import { MAX_ALIASES } from '../calls/bounds.ts';
import { foldPartName } from '../products/part-rules.ts';
import { otherNameField } from '../products/product-fields.ts';
import {
  explainBroken,
  type LineProblem,
  readCode,
  readCsv,
  refuseLine,
  takeLines,
} from './catalogue-file.ts';
import { columnsOf, foldName, MAX_COLUMNS } from './column-names.ts';
import { explainTwins, type FileCell, FileError, type FileRow, HEADER_ROWS } from './table.ts';

/** A customer's own names of parts as a file. */

export interface ReadAlias {
  line: number;
  alias: string;
  /** The part's, in upper case; empty for a refused line. */
  number: string;
  problems: LineProblem[];
}

export interface AliasFile {
  lines: ReadAlias[];
  /** Sentences about unused content. */
  notes: string[];
}

/** As the columns are written; folded by `foldName`. */
const aliasNames = ['name', 'own name', 'own number', 'alias', 'your number', 'customer part number'];

function findNames(cells: readonly FileCell[]): Record<'name' | 'number', readonly string[]> {
  const names = cells.slice(0, MAX_COLUMNS).map(String);
  const name = names.filter((each) => aliasNames.includes(foldName(each)));
  return { name, number: columnsOf(names).named.number };
}

function isHeader(cells: readonly FileCell[]): boolean {
  const { name, number } = findNames(cells);
  return name.length > 0 && number.length > 0;
}

/** @throws FileError as `readAliasRows` */
export const readAliasCsv = (text: string): AliasFile => readAliasRows(readCsv(text, isHeader).rows);

/** @throws FileError without the columns or with one of them twice, and as `takeLines` */
export function readAliasRows(rows: readonly FileRow[]): AliasFile {
  const header = rows.slice(0, HEADER_ROWS).find(({ cells }) => isHeader(cells));
  if (!header) throw new FileError('The first line must name the columns “name” and “part number”.');
  const named = findNames(header.cells);
  const refusal = explainTwins(named, ['name', 'number']);
  if (refusal !== null) throw new FileError(refusal);
  const placeOf = ([name]: readonly string[]) => header.cells.map(String).indexOf(name ?? '');
  const places = { name: placeOf(named.name), 'part number': placeOf(named.number) };
  const { lines, notes } = takeLines(rows, header, isHeader, MAX_ALIASES);
  return { lines: refuseTwins(lines.map((row) => readLine(row, places, header.cells.length))), notes };
}

function readLine(row: FileRow, places: Record<'name' | 'part number', number>, width: number): ReadAlias {
  const { line } = row;
  const misfit = refuseLine(row, Array(width));
  if (misfit !== null)
    return { line, alias: '', number: '', problems: [{ line, column: '', message: misfit }] };
  const [name, number] = [row.cells[places.name] ?? '', row.cells[places['part number']] ?? ''];
  const alias = otherNameField.safeParse(readCode(name));
  const found: [column: string, message: string | null | undefined][] = [
    ['name', explainBroken(name) ?? alias.error?.issues[0]?.message],
    [
      'part number',
      explainBroken(number) ?? (readCode(number) === '' ? 'The part number is missing.' : null),
    ],
  ];
  return {
    line,
    alias: alias.data ?? '',
    number: foldPartName(readCode(number)),
    problems: found.flatMap(([column, message]) => (message ? { line, column, message } : [])),
  };
}

function refuseTwins(lines: readonly ReadAlias[]): ReadAlias[] {
  const named = Map.groupBy(lines, ({ alias }) => foldPartName(alias));
  return lines.map((each) => {
    const other = named.get(foldPartName(each.alias))?.find((one) => one !== each)?.line;
    if (other === undefined || each.alias === '') return each;
    const message = `${each.alias} stands in line ${other}, too. Keep one of them.`;
    return { ...each, problems: [...each.problems, { line: each.line, column: 'name', message }] };
  });
}
