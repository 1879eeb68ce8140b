import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { StartError } from '#src/platform/core/start-error.ts';

/** How a PostgreSQL program is started so that it does not run as root, which it refuses. */
export interface RunAs {
  /** Put before the program and its arguments. */
  prefix: string[];
  /** For `spawn`: set where the system has no `setpriv`. */
  identity: { uid?: number; gid?: number };
  /** Who must own PostgreSQL's folders; `undefined` when they are simply our own. */
  owner: { uid: number; gid: number } | undefined;
}

const run = promisify(execFile);

/** Everybody but root, and Windows: as ourselves. */
export const asOurselves: RunAs = { prefix: [], identity: {}, owner: undefined };

/** @returns whether PostgreSQL has to run as somebody else than us */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * As root: a way to run `program` as `owner` that was seen to reach both the program and `folder`.
 *
 * `setpriv` leaves the process the right to pass closed folders, so that a shop below a 0700 home works too.
 * No user is made and nothing outside the project is changed.
 * @throws StartError when neither way works
 */
export async function asOwner(
  owner: { uid: number; gid: number },
  program: string,
  folder: string,
): Promise<RunAs> {
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
  for (const way of [withSetpriv, withSpawn]) if (await works(way, program, folder)) return way;
  throw new StartError(
    `PostgreSQL does not run as root, and the unprivileged user ${owner.uid} cannot reach ${folder}: ` +
      'start the shop as another user, set DATA_DIR to a folder that everybody can reach, or set DATABASE_URL.',
  );
}

async function works(way: RunAs, program: string, folder: string): Promise<boolean> {
  const probe = ['/bin/sh', '-c', '"$1" --version && cd "$2"', 'sh', program, folder];
  const [command = '', ...args] = [...way.prefix, ...probe];
  try {
    await run(command, args, { ...way.identity, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** The user that owns nothing, as which PostgreSQL runs when the shop is started by root. */
export function nobody(): { uid: number; gid: number } {
  if (process.platform === 'linux') return { uid: 65534, gid: 65534 };
  const ask = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: ask('-u') >>> 0, gid: ask('-g') >>> 0 };
}
