import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from './read-workbook.ts';

const relation = (id: string, target: string) => `<Relationship Id="${id}" Target="${target}"/>`;

/** As spreadsheet programs write it. */
function aWorkbook(sheet: string, parts: Record<string, string> = {}): Uint8Array {
  const files = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Parts &amp; more" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheets/sheet1.xml')}${relation('rId2', '/xl/worksheets/sheet2.xml')}</Relationships>`,
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
        { line: 3, cells: ['PF-1', '', 'rich text', 90.75, 'a <b>', 2, '', '00123', '#N/A', '#VALUE!'] },
      ],
      notes: [],
    });
  });

  test('a workbook shows a date where its style does', () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/><numFmt numFmtId="171" formatCode="[Red]0.00"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`;
    const cell = (style: number) => `<c s="${style}"><v>45000</v></c>`;
    const sheet = `<row>${[0, 1, 2, 3].map(cell).join('')}</row>`;
    expect(cellsOf(sheet, { 'xl/styles.xml': styles })).toEqual([[45_000, '#DATE!', '#DATE!', 45_000]]);
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

describe('a refused workbook', () => {
  const damaged = 'This workbook is damaged or no XLSX file. Save it again, or save it as CSV.';
  const big = 'x'.repeat(49 * 1024 ** 2);

  test.each([
    ['no ZIP file', strToU8('PK\u0003\u0004 nothing')],
    ['a file without sheets', zipSync({ 'word/document.xml': strToU8('<x/>') })],
    ['a comment', aWorkbook('<row><!-- <c><v>1</v></c> --></row>')],
    ['a row without an end', aWorkbook('<row><c><v>1</v></c><row><c><v>2</v></c></row>')],
    ['a sheet that breaks off', aWorkbook('', { 'xl/worksheets/sheet1.xml': '<sheetData><row>' })],
    ['a workbook without its shared texts', aWorkbook('<row><c t="s"><v>0</v></c></row>')],
    ['a text in CDATA', aWorkbook('<row><c t="str"><v><![CDATA[a]]></v></c></row>')],
  ])('%s is refused', (_, content) => {
    expect(() => readWorkbook(content)).toThrow(damaged);
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
    expect(() => readWorkbook(content)).toThrow('This workbook unpacks to too much.');
  });
});
