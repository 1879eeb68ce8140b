import { expect, test } from 'vitest';
import { guardFormulas, unguardFormulas } from './formula-guard.ts';

test.each(['=A1', '-5', "'=A1", "''@x", 'a; =b', "a;'=b", '"=1', '\u200b=1', 'plain', "'plain", '=', ''])(
  'the guard of %j is undone',
  (text) => {
    expect(unguardFormulas(guardFormulas(text))).toBe(text);
  },
);

test('a formula begins no cell', () => {
  expect(guardFormulas('=A1; =B1')).toBe("'=A1; '=B1");
});
