import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';

/** PostgreSQL refuses to run as root. */
export interface RunAs {
  prefix: string[];
  /** For `spawn`, where `setpriv` is missing. */
  identity: { uid?: number; gid?: number };
  /** `undefined` for the current user. */
  owner: Owner | undefined;
}

export interface Owner {
  uid: number;
  gid: number;
}

const run = promisify(execFile);

export const runAsCurrentUser: RunAs = { prefix: [], identity: {}, owner: undefined };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * `setpriv` can traverse private folders, such as a 0700 home.
 * @throws EmbeddedPostgresError `folder-not-reachable`
 */
export async function findRunAs(owner: Owner, program: string, folder: string): Promise<RunAs> {
  const withSetpriv: RunAs = {
    prefix: [
      'setpriv',
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--securebits=+no_setuid_fixup',
    ],
    identity: {},
    owner,
  };
  const withSpawn: RunAs = { prefix: [], identity: owner, owner };
  for (const runAs of [withSetpriv, withSpawn]) if (await canReach(runAs, program, folder)) return runAs;
  throw new EmbeddedPostgresError({ code: 'folder-not-reachable', folder, uid: owner.uid });
}

async function canReach(runAs: RunAs, program: string, folder: string): Promise<boolean> {
  const probe = ['/bin/sh', '-c', '"$1" --version && cd "$2"', 'sh', program, folder];
  const [command = '', ...args] = [...runAs.prefix, ...probe];
  try {
    await run(command, args, { ...runAs.identity, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

export function lookUpNobody(): Owner {
  if (process.platform === 'linux') return { uid: 65534, gid: 65534 };
  const ask = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  // macOS prints nobody's number as -2; `chown` and `spawn` need it unsigned.
  return { uid: ask('-u') >>> 0, gid: ask('-g') >>> 0 };
}
