import { childPids, parentPid, postmasterPid } from '@parts-forge/embedded-postgres/linux-processes';
import { expect } from 'vitest';
import { isOpen, run, type Settings, settings } from './processes.ts';
import { launcherFile } from './programs.ts';

/** Each is the parent of the next. */
export interface Ancestry {
  npm: number;
  shell: number;
  launcher: number;
  shop: number;
  supervisor: number;
  postmaster: number;
}

/**
 * A process plays npm.
 * @returns also every process that must end with the others
 */
export async function startThroughNpm(): Promise<{ given: Settings; all: Ancestry; everything: number[] }> {
  const given = await settings();
  const npm = run(['-e', launchInShellAndStay], {
    ...given,
    LAUNCHER: launcherFile,
    npm_lifecycle_event: 'start',
  });
  await isOpen(npm);
  const postmaster = postmasterPid(given.DATA_DIR);
  const supervisor = parentPid(postmaster);
  const shop = parentPid(supervisor);
  const launcher = parentPid(shop);
  const shell = parentPid(launcher);
  expect(parentPid(shell)).toBe(npm.child.pid);
  const all = { npm: npm.child.pid ?? 0, shell, launcher, shop, supervisor, postmaster };
  return {
    given,
    all,
    everything: [...Object.values(all), ...childPids(supervisor), ...childPids(postmaster)],
  };
}

/** A shell with a further command does not `exec` the launcher. */
const launchInShellAndStay = `
  require('node:child_process').spawn('/bin/sh', ['-c', '"$0" "$LAUNCHER"; exit $?', process.execPath], { stdio: 'inherit' })
    .on('exit', () => process.exit(1));
`;
