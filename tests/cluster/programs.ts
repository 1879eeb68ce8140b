import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { isRunning, signalAll } from '@parts-forge/embedded-postgres/linux-processes';

/** Default: this process's user. */
export interface RunsAs {
  uid?: number;
  gid?: number;
}

export interface Program {
  readonly pid: number;
  isRunning(): boolean;
  /** Default: SIGTERM. @returns exit status, null after a signal */
  end(name?: NodeJS.Signals): Promise<number | null>;
  ended: Promise<number | null>;
}

/** None outlives this command. */
const started = new Set<ChildProcess>();
process.on('exit', () => {
  signalAll(
    [...started].map(({ pid }) => pid ?? 0),
    'SIGKILL',
  );
});

export function startProgram(
  command: string,
  args: readonly string[],
  { logFile, env = {}, runsAs = {} }: { logFile: string; env?: Record<string, string>; runsAs?: RunsAs },
): Program {
  const { PATH = '', HOME = '' } = process.env;
  const log = createWriteStream(logFile, { flags: 'a' });
  const child = spawn(command, args, {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, LC_ALL: 'C', ...env },
    ...runsAs,
  });
  started.add(child);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = once(child, 'exit').then(([status]) => {
    started.delete(child);
    return status as number | null;
  });
  return {
    pid: child.pid ?? 0,
    isRunning: () => isRunning(child.pid ?? 0),
    async end(name = 'SIGTERM') {
      signalAll([child.pid ?? 0], name);
      return ended;
    },
    ended,
  };
}

/** @throws Error with the log file's name for a status other than 0 */
export async function runProgram(...given: Parameters<typeof startProgram>): Promise<void> {
  const status = await startProgram(...given).ended;
  if (status !== 0) throw new Error(`${given[0]} ended with status ${status}; see ${given[2].logFile}`);
}
