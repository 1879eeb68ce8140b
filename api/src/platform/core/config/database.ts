import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import {
  checked,
  crossCheck,
  describeUnreadable,
  isServerAddress,
  milliseconds,
  percentEncoding,
  type SettingsGroup,
  secret,
  setting,
  type Values,
  wholeNumber,
} from './setting.ts';

const address = () =>
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (text) => isServerAddress(text, ['postgres:', 'postgresql:']),
          `must be an address such as postgres://user:password@host:5432/shop; ${percentEncoding}`,
        ),
      ),
  );

const settings = {
  DATABASE_URL: secret(
    'Address of your own PostgreSQL, 15 or newer, in place of the embedded one.',
    address(),
  ),
  DATABASE_DIRECT_URL: secret(
    'Address of the same database without PgBouncer. Required when `DATABASE_URL` leads through PgBouncer in transaction mode; used for LISTEN, migrations and jobs.',
    address(),
  ),
  DATABASE_CA: setting(
    "File (PEM) with the certificates of the authority that signed the database server's certificate. With it, connections are encrypted, and the shop checks the certificate and the host name.",
    z.optional(checked(findCertificatesMistake)),
  ),
  DATABASE_POOL_SIZE: setting(
    'Database connections of one process for requests; it opens up to three more for LISTEN and jobs.',
    z._default(wholeNumber(2, 1000), 16),
  ),
  STATEMENT_TIMEOUT_MS: setting(
    'Statement timeout of the database (ms); migrations are exempt.',
    z._default(milliseconds(), 5000),
  ),
  CONNECTION_TIMEOUT_MS: setting(
    'How long (ms) a request waits for a database connection.',
    z._default(milliseconds(), 3000),
  ),
};

const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA } = settings;
const own = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_CA };

export const database = {
  title: 'Database',
  settings,
  checks: [crossCheck(own, findMistakes)],
} satisfies SettingsGroup;

export function readDatabase(values: Values<typeof settings>) {
  const toAddress = (url: string | undefined) =>
    url === undefined ? null : requireTls(url, values.DATABASE_CA);
  return {
    /** Null: the embedded database. `DATABASE_CA` makes both URLs require verified TLS. */
    databaseUrl: toAddress(values.DATABASE_URL),
    /** Null: no transaction-mode pooler. */
    databaseDirectUrl: toAddress(values.DATABASE_DIRECT_URL),
    databasePoolSize: values.DATABASE_POOL_SIZE,
    statementTimeoutMs: values.STATEMENT_TIMEOUT_MS,
    connectionTimeoutMs: values.CONNECTION_TIMEOUT_MS,
  };
}

function findMistakes(values: Values<typeof own>): string[] {
  const unknown = (['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const).filter(
    (name) =>
      !/^(?!.*[?&]sslmode=(?!(disable|no-verify|prefer|require|verify-ca|verify-full)(&|$)))/.test(
        values[name] ?? '',
      ),
  );
  if (unknown.length > 0)
    return unknown.map((name) => `${name} has an sslmode that PostgreSQL does not know.`);
  const others = ['DATABASE_DIRECT_URL', 'DATABASE_CA'] as const;
  const given = others.filter((name) => values[name] !== undefined);
  if (values.DATABASE_URL === undefined) return given.map((name) => `${name} needs DATABASE_URL.`);
  if (values.DATABASE_CA === undefined) return [];
  return (['DATABASE_URL', ...given] as const)
    .filter((name) => /[?&]sslmode=(disable|no-verify)(&|$)/.test(values[name] ?? ''))
    .map((name) => `${name} says sslmode=disable or no-verify, which DATABASE_CA excludes.`);
}

function requireTls(url: string, certificates: string | undefined): string {
  // The driver checks these three like `verify-full`, with a warning of six lines.
  if (certificates === undefined)
    return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
  const verified = new URL(url);
  verified.searchParams.delete('ssl');
  verified.searchParams.set('sslmode', 'verify-full');
  verified.searchParams.set('sslrootcert', certificates);
  return verified.href;
}

function findCertificatesMistake(file: string): string | null {
  try {
    if (readFileSync(file, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return null;
    return 'must be the path of a file with certificates (PEM).';
  } catch (error) {
    return describeUnreadable(error);
  }
}
