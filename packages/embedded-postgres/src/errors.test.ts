import { expect, test } from 'vitest';
import { EmbeddedPostgresError, type EmbeddedPostgresErrorDetails } from './errors.ts';

const everyFailure: EmbeddedPostgresErrorDetails[] = [
  { code: 'folder-in-use', folder: '/data' },
  { code: 'database-exists', folder: '/data' },
  { code: 'folder-not-writable', folder: '/data', reason: 'EACCES' },
  { code: 'folder-not-writable', folder: '/data', reason: undefined },
  { code: 'folder-not-readable', folder: '/data/postgres' },
  { code: 'folder-owned-by-root', folder: '/data/postgres' },
  { code: 'folder-not-reachable', folder: '/data/postgres', uid: 65534 },
  { code: 'socket-folder-not-private', folder: '/tmp/x' },
  { code: 'no-binaries', oldest: 15, platform: 'linux', arch: 'x64' },
  { code: 'version-not-available', required: 12, available: [18, 15] },
  { code: 'library-link-missing', link: '/lib/libicuuc.so' },
  { code: 'user-without-name', uid: 54321 },
  { code: 'initdb-failed', reason: 'no space left on device' },
  { code: 'server-ended', exit: 'status 1', reason: 'no space left on device' },
  { code: 'server-does-not-stop', folder: '/data/postgres', pid: 4711 },
];

test.each(everyFailure)('$code has a sentence that names no program using the package', (details) => {
  const error = new EmbeddedPostgresError(details);
  expect(error.code).toBe(details.code);
  expect(error.details).toEqual(details);
  expect(error.message).toMatch(/^(PostgreSQL|The|Another|No|\/)/);
  expect(error.message).not.toMatch(/shop|DATA_DIR|DATABASE_URL|undefined/i);
});

test('an error keeps its cause', () => {
  const cause = new Error('EACCES: permission denied');
  expect(new EmbeddedPostgresError({ code: 'folder-in-use', folder: '/data' }, { cause }).cause).toBe(cause);
});
