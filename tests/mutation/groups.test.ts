import { expect, test } from 'vitest';
import { listGroups } from './groups.ts';

test('the files of each group of mutants exist', () => {
  expect(listGroups().length).toBeGreaterThan(50);
});
