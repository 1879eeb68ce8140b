import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { refusals } from '#test/settings.ts';

test('the making of a picture may take ten seconds, or what the setting says', () => {
  expect(readConfig({}).pictureTimeoutMs).toBe(10_000);
  expect(readConfig({ PICTURE_TIMEOUT_MS: '4000' }).pictureTimeoutMs).toBe(4000);
  expect(refusals({ PICTURE_TIMEOUT_MS: '0' })).toEqual([
    'PICTURE_TIMEOUT_MS must be a whole number from 100 to 600000.',
  ]);
});
