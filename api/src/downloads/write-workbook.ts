import { guardFormulas, unguardFormulas } from '@parts-forge/contract/files/formula-guard';
import { strToU8 } from 'fflate';
import { writeZip } from '#src/platform/core/write-zip.ts';
import type { Csv } from './csv.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const parts = {
  '[Content_Types].xml': `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Parts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  // Format 49 is text; 1 keeps it for cells that are written later.
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

/**
 * An XLSX workbook as it is read. All cells are text, so that spreadsheets keep `00123`, `1E5` and `=A1`.
 * @param writtenAt the time of its parts
 */
export const writeWorkbook = <Row>(
  columns: Csv<Row>,
  pages: AsyncIterable<readonly Row[]>,
  writtenAt: Date,
): AsyncGenerator<Uint8Array> => writeZip(listFiles(columns, pages, writtenAt), 'deflated');

function* listFiles<Row>(columns: Csv<Row>, pages: AsyncIterable<readonly Row[]>, writtenAt: Date) {
  for (const [name, xml] of Object.entries(parts)) {
    yield { name, writtenAt, content: [strToU8(`${declaration}${xml}`)] };
  }
  yield { name: 'xl/worksheets/sheet1.xml', writtenAt, content: writeSheet(columns, pages) };
}

async function* writeSheet<Row>(columns: Csv<Row>, pages: AsyncIterable<readonly Row[]>) {
  const names = Object.keys(columns);
  const readCells = Object.values(columns);
  let line = 2;
  yield strToU8(
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${names.length}" width="18" style="1"/></cols><sheetData>${writeRow(names, 1)}`,
  );
  for await (const rows of pages) {
    const texts = rows.map((row) => readCells.map((read) => String(read(row) ?? '')));
    yield strToU8(texts.map((cells, at) => writeRow(cells, line + at)).join(''));
    line += rows.length;
  }
  yield strToU8('</sheetData></worksheet>');
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Most readers need `A1` at each cell. A table has at most 26 columns. */
const writeRow = (cells: readonly string[], line: number): string =>
  `<row r="${line}">${cells.map((text, place) => writeCell(text, `${String.fromCharCode(65 + place)}${line}`)).join('')}</row>`;

/** Only what the shop's own reader would change is disarmed. */
function writeCell(text: string, reference: string): string {
  const isReadAsItIs = unguardFormulas(text) === text && !/^=".*"$/s.test(text);
  const kept = isReadAsItIs ? text : guardFormulas(text);
  const escaped = kept
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return `<c r="${reference}" t="inlineStr" s="1"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}
