import * as z from 'zod/mini';
import { matching, milliseconds, type SettingsGroup, secret, setting, type Values } from './setting.ts';

export interface DatabaseConfig {
  /** Null: the embedded database. */
  databaseUrl: string | null;
  /** Bound of one statement; set-up work is exempt. */
  statementTimeoutMs: number;
  /** Bound of the wait for a connection to the database, a free one or a new one. */
  connectionTimeoutMs: number;
}

const settings = {
  DATABASE_URL: secret(
    'Address of a PostgreSQL of your own, 15 or newer, in place of the embedded one.',
    z.optional(matching(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://.')),
  ),
  STATEMENT_TIMEOUT_MS: setting(
    'Milliseconds that one statement of the database may take; migrations are exempt.',
    z._default(milliseconds(), 5000),
  ),
  CONNECTION_TIMEOUT_MS: setting(
    'Milliseconds that a request waits for a connection to the database.',
    z._default(milliseconds(), 3000),
  ),
};

export const database = { title: 'Database', settings } satisfies SettingsGroup;

export const readDatabase = (values: Values<typeof settings>): DatabaseConfig => ({
  databaseUrl: values.DATABASE_URL ?? null,
  statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
  connectionTimeoutMs: values.CONNECTION_TIMEOUT_MS,
});
