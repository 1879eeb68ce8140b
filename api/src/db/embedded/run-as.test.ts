import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { asOwner, nobody } from './run-as.ts';

const program = '/bin/echo';

function aFolderIn(home: { mode: number }): string {
  const folder = mkdtempSync(join(tmpdir(), 'parts-forge-run-as-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'data'), { mode: 0o777 });
  chmodSync(folder, home.mode);
  return join(folder, 'data');
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('PostgreSQL under root', () => {
  test('runs as nobody, with the right to pass a closed home', async () => {
    const way = await asOwner(nobody(), program, aFolderIn({ mode: 0o700 }));
    expect(way.prefix[0]).toBe('setpriv');
    expect(way.owner).toEqual({ uid: 65534, gid: 65534 });
  });

  test('runs as nobody without setpriv where the folder can be reached', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const way = await asOwner(nobody(), program, aFolderIn({ mode: 0o755 }));
    expect(way).toMatchObject({ prefix: [], identity: { uid: 65534, gid: 65534 } });
  });

  test('says in one sentence what to do when nobody cannot reach the folder', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(asOwner(nobody(), program, aFolderIn({ mode: 0o700 }))).rejects.toThrow(
      /^PostgreSQL does not run as root, and the unprivileged user 65534 cannot reach .*: start the shop as another user, set DATA_DIR to a folder that everybody can reach, or set DATABASE_URL\.$/,
    );
  });
});
