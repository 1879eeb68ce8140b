import { expect, test } from 'vitest';
import { listGroups } from './groups.ts';
import { readRecord } from './record.ts';

test('each recorded module is in a group whose files exist', () => {
  // Throws for a file that is not there.
  const modules = [...listGroups('rules'), ...listGroups('database')].flatMap(({ mutate }) => mutate);
  expect(Object.keys(readRecord().files).filter((module) => !modules.includes(module))).toEqual([]);
});
