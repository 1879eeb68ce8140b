import Papa from 'papaparse';

/** `line` is from 1; cells are trimmed. */
export interface CsvRow {
  line: number;
  cells: string[];
  /** After an unclosed quote, or one inside a cell, the rest cannot be parsed. */
  quote?: 'open' | 'stray';
}

/** Skips empty lines. Stops after a wrong quote. */
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

/** Opens directly in spreadsheets: UTF-8 with a byte-order mark, CRLF. A leading `'` disables formulas. */
export function writeCsv(rows: readonly (readonly (string | number)[])[], separator = ','): string {
  const lines = rows.map((cells) => cells.map(writeCell).join(separator));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function writeCell(value: string | number): string {
  const text = typeof value === 'string' ? value.replace(formulas, "$&'") : String(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Also after zero-width characters, and where a semicolon would start a cell. */
const formulas = /(?:^(?:"|\p{Cf})*|[;\t\r\n](?:[" ]|\p{Cf})*)(?=[=+\-@＝＋－＠\t\r])/gu;
