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
