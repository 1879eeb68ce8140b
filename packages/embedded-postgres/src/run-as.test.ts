import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findRunAs, lookUpNobody } from './run-as.ts';

const program = '/bin/echo';

function aFolderIn(home: { mode: number }): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-test-run-as-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'data'), { mode: 0o777 });
  chmodSync(folder, home.mode);
  return join(folder, 'data');
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('PostgreSQL under root', () => {
  test('PostgreSQL runs as nobody and may traverse a private home', async () => {
    const runAs = await findRunAs(lookUpNobody(), program, aFolderIn({ mode: 0o700 }));
    expect(runAs.prefix[0]).toBe('setpriv');
    expect(runAs.owner).toEqual({ uid: 65534, gid: 65534 });
  });

  test('PostgreSQL runs as nobody without setpriv in a reachable folder', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const runAs = await findRunAs(lookUpNobody(), program, aFolderIn({ mode: 0o755 }));
    expect(runAs).toMatchObject({ prefix: [], identity: { uid: 65534, gid: 65534 } });
  });

  test('a folder unreachable for nobody is refused with one sentence', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const folder = aFolderIn({ mode: 0o700 });
    await expect(findRunAs(lookUpNobody(), program, folder)).rejects.toMatchObject({
      code: 'folder-not-reachable',
      message: `PostgreSQL does not run as root, and the unprivileged user 65534 cannot reach ${folder}: start as another user, or choose a folder that everybody can reach.`,
    });
  });
});
