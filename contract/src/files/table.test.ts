import { describe, expect, test } from 'vitest';
import { readRows } from './table.ts';

describe('readRows', () => {
  test.each([
    ['commas', 'a,b\n1,2\n', ',', ['a|b', '1|2']],
    ['semicolons', 'a;b\r\n1;2,5\r\n', ';', ['a|b', '1|2,5']],
    ['tabs', 'a\tb\r1\t2', '\t', ['a|b', '1|2']],
    ['quotes and breaks', 'a,b\n"x, ""y""\nz",2', ',', ['a|b', 'x, "y"\nz|2']],
    ['spaces beside quotes', 'a , "b"\n"x" ,  "y, z" \n', ',', ['a|b', 'x|y, z']],
    ['spaces and empty lines', ' a , b \n\n,\n 1 , 2 \n\n', ',', ['a|b', '1|2']],
    ['an empty last cell', 'a,b\n1,', ',', ['a|b', '1|']],
    ['inch marks', 'a,6.1"\n1,5.8"', ',', ['a|6.1"', '1|5.8"']],
    ['nothing', '', ',', []],
  ])('splits a text with %s', (_, text, separator, rows) => {
    expect(readRows(text, separator).map(({ cells }) => cells.join('|'))).toEqual(rows);
  });

  test('gives the first line of each row and its text', () => {
    expect(readRows('a,b\n\n"x\r\ny",2\nz,3', ',').map(({ line, text }) => [line, text])).toEqual([
      [1, 'a,b'],
      [3, '"x\ny",2'],
      [5, 'z,3'],
    ]);
  });

  test('reads a wrong quote as a letter and says so', () => {
    expect(readRows('"x" y,1\n"z,2\na,3', ',').map(({ cells, quote }) => [...cells, quote])).toEqual([
      ['"x" y', '1', 'stray'],
      ['"z', '2', 'open'],
      ['a', '3', undefined],
    ]);
  });

  test('stops after the rows that are asked for', () => {
    expect(readRows('\na\nb\nc', ',', 2).map(({ text }) => text)).toEqual(['a', 'b']);
  });
});
