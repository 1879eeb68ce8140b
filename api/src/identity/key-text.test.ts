import { expect, test } from 'vitest';
import { createKeyText, isKey } from './key-text.ts';

test('the checksum tells keys from other texts', () => {
  const key = createKeyText();
  const other = key.charAt(10) === 'A' ? 'B' : 'A';
  const mistyped = `${key.slice(0, 10)}${other}${key.slice(11)}`;
  expect([key, mistyped, key.slice(4), `${key}A`, `${key}\n`].map(isKey)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(createKeyText()).not.toBe(key);
});
