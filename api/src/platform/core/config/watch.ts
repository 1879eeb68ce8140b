import * as z from 'zod/mini';
import { choice, matching, type SettingsGroup, secret, setting, type Values } from './setting.ts';

const MIN_METRICS_TOKEN = 16;

const settings = {
  LOG_LEVEL: setting(
    'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    z._default(choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  ),
  METRICS_TOKEN: secret(
    `Token for reading the figures at \`/metrics\`, sent as \`Authorization: Bearer …\`, ${MIN_METRICS_TOKEN} characters or longer; without it there is no such address.`,
    z.optional(
      matching(
        new RegExp(`^[A-Za-z0-9._~+/-]{${MIN_METRICS_TOKEN},}=*$`),
        `must be ${MIN_METRICS_TOKEN} characters or longer, of letters, digits and - . _ ~ + /.`,
      ),
    ),
  ),
};

export const watch = { title: 'Watch', settings } satisfies SettingsGroup;

export const readWatch = (values: Values<typeof settings>) => ({
  logLevel: values.LOG_LEVEL,
  /** Null: `/metrics` does not exist. */
  metricsToken: values.METRICS_TOKEN ?? null,
});
