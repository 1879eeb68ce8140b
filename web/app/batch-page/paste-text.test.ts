import { expect, test } from 'vitest';
import { replaceInLine } from './paste-text.ts';

test.each([
  ['Qty;SKU\n12345;123', '12345;123', '124', '12345;124'],
  ['Qty;SKU\n91234;123', '91234;123', '124', '91234;124'],
  ['Name;SKU;Qty\nGroße Linse;PF-D610I;5', 'Große Linse;PF-D610I;5', 'PF-D6101', 'Große Linse;PF-D6101;5'],
])('replaceInLine changes the cell of the number alone: %j', (text, line, number, mended) => {
  expect(replaceInLine(text, line, number)).toBe(text.replace(line, mended));
});

test('replaceInLine mends a line that has a line break in a cell', () => {
  const line = 'PF-D610I,500,"replaces\nPF-1"';
  expect(replaceInLine(`PF-2,5\n${line}\nPF-3,6`, line, 'PF-D6101')).toBe(
    'PF-2,5\nPF-D6101,500,"replaces\nPF-1"\nPF-3,6',
  );
});
