import { expect, test } from 'vitest';
import { firstWord } from './display-name.ts';

test.each([
  ['Amara Okafor', 'Amara'],
  ['  Amara  Okafor', 'Amara'],
  ['Amara\tOkafor', 'Amara'],
  ['Amara', 'Amara'],
  ['  ', 'user'],
  ['', 'user'],
  [null, 'user'],
  [undefined, 'user'],
])("firstWord gives the first word or 'user': %o is %s", (name, shown) => {
  expect(firstWord(name)).toBe(shown);
});
