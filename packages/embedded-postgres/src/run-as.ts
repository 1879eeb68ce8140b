import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';

/** How a PostgreSQL program is started so that it does not run as root, which it refuses. */
export interface RunAs {
  /** Put before the program and its arguments. */
  prefix: string[];
  /** For `spawn`: set where the system has no `setpriv`. */
  identity: { uid?: number; gid?: number };
  /** Who must own PostgreSQL's folders; `undefined` when they are simply our own. */
  owner: Owner | undefined;
}

/** A user and a group of the operating system, by their numbers. */
export interface Owner {
  uid: number;
  gid: number;
}

const run = promisify(execFile);

/** For every user but root, and on Windows. */
export const runAsCurrentUser: RunAs = { prefix: [], identity: {}, owner: undefined };

/** @returns whether PostgreSQL has to run as another user than this process */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * For root: finds a way to run `program` as `owner` that was seen to reach both the program and `folder`.
 *
 * `setpriv` leaves the process the right to pass closed folders, so that a folder below a 0700 home works too.
 * No user is made and nothing is changed on the machine.
 * @throws EmbeddedPostgresError `folder-not-reachable` when neither way works
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

/** @returns the system's user that owns nothing, as which PostgreSQL runs when this process is root's */
export function lookUpNobody(): Owner {
  if (process.platform === 'linux') return { uid: 65534, gid: 65534 };
  const ask = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  // macOS prints nobody's number as -2, which `chown` and `spawn` want as an unsigned number.
  return { uid: ask('-u') >>> 0, gid: ask('-g') >>> 0 };
}
