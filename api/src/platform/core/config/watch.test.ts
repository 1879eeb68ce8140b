import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals } from '#test/settings.ts';

test('logging is on and figures are off by default', () => {
  expect(readConfig({})).toMatchObject({ logLevel: 'info', metricsToken: null });
});

test('every setting of the log and figures is read', () => {
  const env = { LOG_LEVEL: 'warn', METRICS_TOKEN: 'watch-Me_.~/9+xyz==' };
  expect(readConfig(env)).toMatchObject({ logLevel: 'warn', metricsToken: 'watch-Me_.~/9+xyz==' });
});

const metricsToken = 'METRICS_TOKEN must be 16 characters or longer, of letters, digits and - . _ ~ + /.';
const level = 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.';

test.each([
  [{ METRICS_TOKEN: 'x'.repeat(15) }, metricsToken],
  [{ METRICS_TOKEN: 'words with spaces in' }, metricsToken],
  [{ METRICS_TOKEN: `${'x'.repeat(16)}=y` }, metricsToken],
  [{ LOG_LEVEL: 'loud' }, level],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});

test.each<Env>([{ METRICS_TOKEN: 'x'.repeat(16) }, { METRICS_TOKEN: 'bWV0cmljcyB0b2tlbg==' }])(
  '%o is taken',
  (env) => {
    expect(refusals(env)).toEqual([]);
  },
);
