import Papa from 'papaparse';

/** A line of a file: where it begins, counted from 1, and its cells without the spaces around them. */
export interface CsvRow {
  line: number;
  cells: string[];
  /** Whether a quote in it is never closed, or does not end its cell: what follows cannot be told apart. */
  quote?: 'open' | 'stray';
}

/** What a text is split into; empty lines are left out. Nothing follows a row whose quotes are wrong. */
export function readCsv(text: string, separator: string, most = 0): { rows: CsvRow[] } {
  const { data, errors } = Papa.parse<string[]>(text.replace(/\r\n?/g, '\n'), {
    delimiter: separator,
    newline: '\n',
    preview: most,
  });
  const wrong = errors.find(({ type }) => type === 'Quotes');
  const rows: CsvRow[] = [];
  let line = 1;
  for (const [index, raw] of data.entries()) {
    const isWrong = wrong?.row === index;
    const cells = raw.map((cell) => cell.trim());
    if (isWrong) rows.push({ line, cells, quote: wrong.code === 'MissingQuotes' ? 'open' : 'stray' });
    else if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
    if (isWrong) break;
    line += raw.reduce((sum, cell) => sum + cell.split('\n').length - 1, 1);
  }
  return { rows };
}

/**
 * A CSV text that spreadsheets open as it is: UTF-8 with a byte-order mark, CRLF; a text that they would take for a
 * formula begins with `'`.
 */
export function writeCsv(rows: readonly (readonly (string | number)[])[], separator = ','): string {
  const lines = rows.map((cells) => cells.map(writeCell).join(separator));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function writeCell(value: string | number): string {
  const text = typeof value === 'string' ? value.replace(formulas, "$&'") : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Where a formula would begin, behind characters that cannot be seen too; also where a cell would begin in a
 * spreadsheet that separates by semicolons.
 */
const formulas = /(?:^(?:"|\p{Cf})*|[;\t\r\n](?:[" ]|\p{Cf})*)(?=[=+\-@＝＋－＠\t\r])/gu;
