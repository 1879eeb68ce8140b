import { expect, test } from 'vitest';
import { refusals } from '#test/settings.ts';
import { readConfig, settingsGroups } from './config.ts';

const names = settingsGroups.flatMap(({ settings, switches }) => Object.keys({ ...settings, ...switches }));

test('an empty value counts as absent', () => {
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
});

test('each setting belongs to one group', () => {
  expect(names).toEqual([...new Set(names)]);
});

test('one message lists every wrong setting', () => {
  const env = { PORT: 'http', SEED: 'perhaps', ADMIN_EMAIL: 'chief@shop.example' };
  expect(() => readConfig(env)).toThrow(
    'The settings are wrong:\n- PORT must be a whole number from 0 to 65535.\n- SEED must be one of demo, catalogue, none.\n- ADMIN_EMAIL and ADMIN_PASSWORD must be set together.',
  );
  expect(refusals({ ADMIN_EMAIL: 'chief@shop.example', ORIGIN: 'https://shop.example' })).toEqual([
    'ADMIN_EMAIL and ADMIN_PASSWORD must be set together.',
    'A public shop (ORIGIN) needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.',
  ]);
});
