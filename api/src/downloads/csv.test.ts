import { expect, test } from 'vitest';
import { writeCsv, writeRow } from './csv.ts';

test.each([
  [['a', 1, null], 'a,1,\r\n'],
  [['a,b', 'say "a"', 'two\nlines'], '"a,b","say ""a""","two\nlines"\r\n'],
  [['=1+1', '+1', '-1', '@A1', '\t1', '\r1'], `'=1+1,'+1,'-1,'@A1,"'\t1","'\r1"\r\n`],
  // Numbers keep their sign.
  [[-50, 0], '-50,0\r\n'],
  [['a=1', ' =1', ''], 'a=1, =1,\r\n'],
  // With semicolon separators a semicolon starts a cell, and a line break in quotes a row.
  [['x;=A1', 'x; @A1', 'x\n+1'], `"x;'=A1","x; '@A1","x\n'+1"\r\n`],
  [['x;y', 'x\ty', 'x;"=1;y'], `"x;y","x\ty","x;""'=1;y"\r\n`],
  // Some spreadsheets accept full-width signs and skip invisible characters.
  [['＝1', '＋1', '－1', '＠A', '\u200b=1'], `'＝1,'＋1,'－1,'＠A,\u200b'=1\r\n`],
])('a row of %j is %j', (cells, row) => {
  expect(writeRow(cells)).toBe(row);
});

test('the header is written even without rows', async () => {
  const csv = { A: (value: number) => value, B: () => 'x' };
  async function* pages(...all: readonly number[][]) {
    yield* all;
  }
  const write = async (...all: readonly number[][]) => {
    const texts: string[] = [];
    for await (const text of writeCsv(csv, pages(...all))) texts.push(text);
    return texts;
  };
  expect(await write([])).toEqual(['\ufeffA,B\r\n']);
  expect(await write([1, 2], [3])).toEqual(['\ufeffA,B\r\n1,x\r\n2,x\r\n', '3,x\r\n']);
});
