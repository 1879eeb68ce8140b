import { expect, test } from 'vitest';
import { replaceInLine } from './paste-text.ts';

test('replaceInLine mends a line that has a line break in a cell', () => {
  const line = 'PF-D610I,500,"replaces\nPF-1"';
  expect(replaceInLine(`PF-2,5\n${line}\nPF-3,6`, line, 'PF-D6101')).toBe(
    'PF-2,5\nPF-D6101,500,"replaces\nPF-1"\nPF-3,6',
  );
});
