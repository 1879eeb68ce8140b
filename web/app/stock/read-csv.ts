/** A line of a file: where it begins, counted from 1, and its cells without the spaces around them. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * The rows of a CSV text (RFC 4180) by comma, semicolon or tab, whichever the first line has most of; empty lines are
 * left out. A quote that is never closed ends with the text.
 */
export function readCsv(text: string): { rows: CsvRow[]; separator: string } {
  const content = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const separator = chooseSeparator(content.slice(0, content.indexOf('\n') + 1 || undefined));
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  // A cell, quoted or not, and what ends it; the text's end ends the last one.
  const cell = new RegExp(
    `(?:[ ]*"((?:[^"]|"")*)"?[^${separator}\\n]*|([^${separator}\\n]*))(${separator}|\\n|$)`,
    'gy',
  );
  for (let match = cell.exec(content); match; match = cell.exec(content)) {
    const [whole, quoted, plain = '', end] = match;
    row.cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += whole.split('\n').length - 1;
    if (end === separator) continue;
    if (row.cells.some((each) => each !== '')) rows.push(row);
    if (cell.lastIndex >= content.length) break;
    row = { line, cells: [] };
  }
  return { rows, separator };
}

function chooseSeparator(firstLine: string): string {
  const count = (separator: string) => firstLine.split(separator).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * A CSV text that spreadsheets open as it is: UTF-8 with a byte-order mark, CRLF; a text that they would take for a
 * formula begins with `'`.
 */
export function writeCsv(rows: readonly (readonly (string | number)[])[]): string {
  const lines = rows.map((cells) => cells.map(writeCell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function writeCell(value: string | number): string {
  // Also where a cell would begin in a spreadsheet that separates by semicolons.
  const text =
    typeof value === 'string' ? value.replace(/(^|[;\t\r\n] *)(?=[=+\-@\t\r])/g, "$1'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
