import { Readable } from 'node:stream';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { writeWorkbook } from './write-workbook.ts';

test('another reader of workbooks finds every cell as it was', async () => {
  const rows = [
    ['00123', '1E5', '=A1+1', 'Ärger “q” ″ 😀 שלום'],
    ['PF-1', 'a\nb', '_x0041_ <&>', '4-3'],
  ];
  async function* pages() {
    for (const row of rows) yield [row];
  }
  const columns = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name, at) => [name, (row: string[]) => row[at]]),
  );
  const parts = await Readable.from(writeWorkbook(columns, pages(), new Date())).toArray();
  expect(await readSheet(Buffer.concat(parts))).toEqual([['a', 'b', 'c', 'd'], ...rows]);
});
