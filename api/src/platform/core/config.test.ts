import { expect, test } from 'vitest';
import { refusals } from '#test/settings.ts';
import { describeFormerSettings, readConfig, settingsGroups } from './config.ts';

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

test('a shop with former settings starts and reports them as unused', () => {
  const env = { DATABASE_REPLICA_URL: 'postgres://replica.example/shop', DATABASE_REPLICA_LAG_MS: 'soon' };

  expect(readConfig(env)).toEqual(readConfig({}));
  expect(describeFormerSettings({ ...env, DATABASE_URL: 'postgres://db.example/shop' })).toEqual([
    'DATABASE_REPLICA_URL has no use any more: all reads go to DATABASE_URL (docs/guides/scaling.md). Remove it.',
    'DATABASE_REPLICA_LAG_MS has no use any more: all reads go to DATABASE_URL (docs/guides/scaling.md). Remove it.',
  ]);
  expect(describeFormerSettings({ DATABASE_REPLICA_URL_FILE: '/run/secrets/replica' })).toHaveLength(1);
});
