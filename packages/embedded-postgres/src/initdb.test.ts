import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '#test/servers.ts';
import { initdb } from './initdb.ts';
import { runAsCurrentUser } from './run-as.ts';

/** The reported reason of an `initdb` that fails with these lines. */
async function readReason(...lines: string[]): Promise<string> {
  const program = join(newFolder(), 'initdb');
  writeFileSync(program, `#!/bin/sh\ncat >&2 <<'END'\n${lines.join('\n')}\nEND\nexit 1\n`, { mode: 0o700 });
  const failure: unknown = await initdb(
    runAsCurrentUser,
    { postgres: '/none', initdb: program, majorVersion: 18 },
    [],
  ).catch((error: unknown) => error);
  expect(failure).toMatchObject({ details: { code: 'initdb-failed' } });
  return (failure as { details: { reason: string } }).details.reason;
}

test.skipIf(process.platform === 'win32')('a failed initdb names its cause', async () => {
  const cleaning = 'initdb: removing contents of data directory "/data/postgres.new"';
  expect(
    await readReason(
      '2026-11-25 11:41:13.214 UTC [10333] FATAL:  insufficient file descriptors available to start server process',
      '2026-11-25 11:41:13.214 UTC [10333] DETAIL:  System allows 56, server needs at least 58.',
      'child process exited with exit code 1',
      cleaning,
    ),
  ).toBe(
    'insufficient file descriptors available to start server process (System allows 56, server needs at least 58.)',
  );
  expect(await readReason('initdb: error: could not write file: No space left on device', cleaning)).toBe(
    'could not write file: No space left on device',
  );
  expect(await readReason('cannot be run here', cleaning)).toBe('cannot be run here');
});
