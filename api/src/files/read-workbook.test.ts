import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from './read-workbook.ts';

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;
const relations = () =>
  `<Relationships>${[
    relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
    relation('rId2', 'worksheet', '/xl/worksheets/sheet2.xml'),
    relation('rId3', 'chartsheet', 'chartsheets/sheet1.xml'),
    relation('rId4', 'sharedStrings', 'sharedStrings.xml'),
    relation('rId5', 'styles', 'styles.xml'),
  ].join('')}</Relationships>`;

/** As spreadsheet programs write it. */
function aWorkbook(sheet: string, parts: Record<string, string> = {}): Uint8Array {
  const files = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Parts &amp; more" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
}
const cellsOf = (...workbook: Parameters<typeof aWorkbook>) =>
  readWorkbook(aWorkbook(...workbook)).rows.map(({ cells }) => cells);

describe('a workbook', () => {
  test('a workbook gives texts, figures and results of formulas', () => {
    const shared =
      '<sst><si><t>PF-1</t></si><si><r><t>rich </t></r><r><t xml:space="preserve">text</t></r><rPh><t>aid</t></rPh></si><si/></sst>';
    const sheet = `<row r="3"><c r="A3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3"><v>90.75</v></c>
      <c r="E3" t="str"><f>A1&amp;"x"</f><v>a &lt;b&gt;</v></c><c r="F3"><f>1+1</f><v>2</v></c><c r="G3" t="s"><v>2</v></c>
      <c r="H3" t="inlineStr"><is><t>00123</t></is></c><c r="I3" t="e"><v>#N/A</v></c><c r="J3"><f>1+1</f></c></row>`;
    expect(readWorkbook(aWorkbook(sheet, { 'xl/sharedStrings.xml': shared }))).toEqual({
      rows: [
        {
          line: 3,
          cells: ['PF-1', '', 'rich text', 90.75, 'a <b>', 2, '', '00123', '#N/A', '#UNCALCULATED!'],
        },
      ],
      notes: [],
    });
  });

  test.each([
    ['yyyy\\-mm', true],
    ['[h]', true],
    ['[$-411]ggge"年"m"月"d"日"', true],
    ['[Red]d/m', true],
    ['aaaa', true],
    ['[Red]0.00', false],
    ['[$USD] #,##0.00', false],
    ['#,##0.00\\ [$CHF]', false],
    ['#,##0" pcs"', false],
    ['0\\d_m*s', false],
    ['General" days"', false],
    ['0.00E+00', false],
  ])('the format %s shows a date: %s', (format, isDate) => {
    const code = format.replaceAll('"', '&quot;');
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>`;
    const sheet = '<row><c><v>45000</v></c><c s="1"><v>45000</v></c></row>';
    expect(cellsOf(sheet, { 'xl/styles.xml': styles })).toEqual([
      [45_000, isDate ? '#DATE!2023-03-15' : 45_000],
    ]);
  });

  test('formats that come with spreadsheets show dates by their numbers', () => {
    const numbers = [14, 22, 27, 36, 45, 47, 50, 58, 2, 23, 37, 44, 48, 49];
    const styles = `<styleSheet><cellXfs>${numbers.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;
    const sheet = `<row>${numbers.map((_, style) => `<c s="${style}"><v>1</v></c>`).join('')}</row>`;
    expect(cellsOf(sheet, { 'xl/styles.xml': styles })[0]?.map((cell) => cell !== 1)).toEqual(
      numbers.map((_, index) => index < 8),
    );
  });

  test('a cell is what it shows, and never a guess', () => {
    const styles =
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="00000"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>';
    const shared = '<sst><si><t>first</t></si></sst>';
    const sheet = `<row><c t="s"/><c t="s"><v></v></c><c><v> </v></c><c><v>0x10</v></c><c><v>1e999</v></c>
      <c t="b"><v>1</v></c><c s="1"><v>1234</v></c><c><v>90.75</v></c></row>`;
    const parts = { 'xl/sharedStrings.xml': shared, 'xl/styles.xml': styles };
    expect(cellsOf(sheet, parts)).toEqual([['', '', '', '0x10', '1e999', 'TRUE', '01234', 90.75]]);
  });

  test.each([
    ['', ['#UNCALCULATED!', '#UNCALCULATED!', '', 7]],
    ['<calcPr fullCalcOnLoad="1"/>', Array(4).fill('#UNCALCULATED!')],
  ])('a formula without a sure result has none, %#', (calculation, expected) => {
    const cells = ['<c><f>A1</f></c>', '<c><f>A1</f><v></v></c>', '<c t="str"><f>A1</f><v></v></c>'];
    const sheet = `<row>${cells.join('')}<c><f>A1</f><v>7</v></c></row>`;
    const book = `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/></sheets>${calculation}</workbook>`;
    expect(cellsOf(sheet, { 'xl/workbook.xml': book })).toEqual([expected]);
  });

  test('merged cells and hidden rows are noted', () => {
    const row = (line: number, hidden = '') => `<row r="${line}" ${hidden}><c><v>1</v></c></row>`;
    const after = '</sheetData><mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="B1:B3"/></mergeCells>';
    const sheet = `<worksheet><sheetData>${row(1)}${row(2, 'hidden="1"')}${row(3)}${after}</worksheet>`;
    expect(readWorkbook(aWorkbook('', { 'xl/worksheets/sheet1.xml': sheet })).notes).toEqual([
      'Of merged cells, such as B1:B3, only the first has a value.',
      '1 hidden line is read, too.',
    ]);
  });

  test('attributes may stand on lines of their own', () => {
    expect(cellsOf('<row><c\n\tr="B1"\n\tt="str"><v>00123</v></c></row>')).toEqual([['', '00123']]);
  });

  test('rows of odd numbers follow the row before', () => {
    const rows = ['2', '2', '-5', 'abc', '1e999', '9'].map(
      (line) => `<row r="${line}"><c><v>1</v></c></row>`,
    );
    const { rows: read } = readWorkbook(aWorkbook(rows.join('')));
    expect(read.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 9]);
  });

  test('a workbook gives its first visible sheet, and names it', () => {
    const book =
      '<workbook xmlns:r="r"><sheets><sheet name="Old" state="hidden" r:id="rId1"/><sheet name="Parts" r:id="rId2"/><sheet name="Notes" r:id="rId1"/></sheets></workbook>';
    const second =
      '<x:worksheet><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>';
    const workbook = aWorkbook('', { 'xl/workbook.xml': book, 'xl/worksheets/sheet2.xml': second });
    expect(readWorkbook(workbook)).toEqual({
      rows: [{ line: 1, cells: [7] }],
      notes: ['Only the sheet “Parts” is read.'],
    });
  });

  test('a workbook keeps merged cells empty and escaped characters whole', () => {
    const sheet =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>a_x000A_b &#233;&#xe9; _x005F_x0041_</t></is></c><c r="B1"/></row><row r="2"/>';
    expect(cellsOf(sheet)).toEqual([['a\nb éé _x0041_', '']]);
  });
});

test('attributes may stand in single quotes', () => {
  expect(cellsOf("<row r='1'><c r='B1' t='inlineStr'><is><t>a</t></is></c></row>")).toEqual([['', 'a']]);
});

describe('a workbook that is not damaged is read', () => {
  const shared = '<sst><si><t>PF-1</t></si></sst>';
  const sheet = '<row><c t="s"><v>0</v></c></row>';
  const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const withBook = (xml?: string) =>
    aWorkbook(sheet, { 'xl/sharedStrings.xml': shared, ...(xml && { 'xl/workbook.xml': xml }) });
  const files = () => Object.entries(unzipSync(withBook()));
  const rename = (change: (name: string) => string) =>
    zipSync(Object.fromEntries(files().map(([name, bytes]) => [change(name), bytes])));
  const book = (attributes: string, first: string) =>
    `<workbook xmlns:${attributes}="r"><sheets>${first}<sheet name="a" ${attributes}:id="rId1"/></sheets></workbook>`;

  test.each([
    ['comments and CDATA', aWorkbook('<!-- <c/> --><row><c t="str"><v><![CDATA[PF-1]]></v></c></row>')],
    ['capital letters in names', rename((name) => name.replace('shared', 'Shared'))],
    ['backslashes in names', rename((name) => name.replaceAll('/', '\\'))],
    ['slashes before names', rename((name) => `/${name}`)],
    ['another prefix of ids', withBook(book('d', ''))],
    ['a chart as its first sheet', withBook(book('r', '<sheet name="c" r:id="rId3"/>'))],
    [
      'parts in the root folder',
      zipSync({
        ...Object.fromEntries(files().map(([name, bytes]) => [name.replace(/^xl\//, ''), bytes])),
        '_rels/.rels': strToU8(`<x>${relation('a', 'officeDocument', 'workbook.xml')}</x>`),
      }),
    ],
    [
      'XML in UTF-16',
      zipSync({
        ...unzipSync(aWorkbook(sheet)),
        'xl/sharedStrings.xml': Buffer.from(`\ufeff${shared}`, 'utf16le'),
      }),
    ],
    [
      'a prefix of tags',
      aWorkbook('', {
        'xl/worksheets/sheet1.xml': sheetOf('<x:row><x:c t="str"><x:v>PF-1</x:v></x:c></x:row>'),
      }),
    ],
  ])('%s', (_, content) => {
    expect(readWorkbook(content).rows).toEqual([{ line: 1, cells: ['PF-1'] }]);
  });
});

describe('a refused workbook', () => {
  const damaged = 'This workbook is damaged or no XLSX file. Save it again, or save it as CSV.';
  const big = 'x'.repeat(49 * 1024 ** 2);

  test.each([
    ['no ZIP file', strToU8('PK\u0003\u0004 nothing')],
    ['a file without sheets', zipSync({ 'a.xml': strToU8('<x/>') })],
    ['an entity of its own', aWorkbook('<row><c t="str"><v>&toString;</v></c></row>')],
    ['a row without an end', aWorkbook('<row><c><v>1</v></c><row><c><v>2</v></c></row>')],
    ['a sheet that breaks off', aWorkbook('', { 'xl/worksheets/sheet1.xml': '<sheetData><row>' })],
    ['a workbook without its shared texts', aWorkbook('<row><c t="s"><v>0</v></c></row>')],
  ])('%s is refused', (_, content) => {
    expect(() => readWorkbook(content)).toThrow(damaged);
  });

  test.each([
    ['content.xml', 'This is an OpenDocument file. Save it as XLSX or CSV.'],
    ['xl/workbook.bin', 'This is a binary workbook (XLSB). Save it as XLSX or CSV.'],
    ['word/document.xml', 'This is a Word document. Save it as XLSX or CSV.'],
  ])('a file with %s is refused by its name', (part, message) => {
    expect(() => readWorkbook(zipSync({ [part]: strToU8('<x/>') }))).toThrow(message);
  });

  test('a workbook that unpacks to too much is refused', () => {
    expect(() => readWorkbook(aWorkbook(big))).toThrow('This workbook unpacks to too much.');
    expect(cellsOf('<row><c><v>1</v></c></row>', { 'xl/media/a.xml': big })).toEqual([[1]]);
  });

  test('a workbook that announces less than it unpacks to is refused', () => {
    const content = Buffer.from(aWorkbook(big));
    for (const size of [Buffer.from('PK\u0003\u0004'), Buffer.from('PK\u0001\u0002')]) {
      for (let at = content.indexOf(size); at !== -1; at = content.indexOf(size, at + 1)) {
        content.writeUInt32LE(1000, at + (size[2] === 3 ? 22 : 24));
      }
    }
    expect(() => readWorkbook(content)).toThrow(damaged);
  });
});
