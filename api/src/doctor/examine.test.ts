import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { note, works } from './check.ts';
import { countWrong, examine, writeReport } from './examine.ts';

const visit = { config: readConfig({}), openDatabase: async () => null };

test('a broken or hanging check is reported without stopping the others', async () => {
  const reports = examine(
    [
      { title: 'Good', run: async () => [works('It works.'), note('It is new.')] },
      {
        title: 'Broken',
        run: () => Promise.reject(new Error('fetch failed', { cause: new Error('no route') })),
      },
      { title: 'Hanging', run: () => new Promise(() => {}) },
      { title: 'Not configured', run: async () => [] },
    ],
    visit,
    20,
  );
  expect(countWrong(await reports)).toBe(2);
  expect(writeReport(await reports)).toBe(
    'Good\n  ok    It works.\n  note  It is new.\n\n' +
      'Broken\n  WRONG The check broke: no route.\n\n' +
      'Hanging\n  WRONG The check did not end within 0.02 seconds.\n\n' +
      '2 things do not work.\n',
  );
});
