import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { socketName } from './socket-folder.ts';

/** The running server, as it describes itself in its folder's `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Empty where PostgreSQL listens on TCP only. */
  socketFolder: string;
  isReady: boolean;
}

/** The kernel ends what it was told to kill as soon as the disk lets it. */
const killTimeoutMs = 10_000;
/** How a stop becomes rougher, and how long each signal is given. */
const stopSignals = [
  ['SIGINT', 3_000],
  ['SIGQUIT', 1_000],
  ['SIGKILL', killTimeoutMs],
] as const;

/** @returns the PostgreSQL that runs on this folder now, or `undefined` when none does */
export function readRunningPostmaster(databaseFolder: string): Postmaster | undefined {
  const file = resolvePidFile(databaseFolder);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isPostgresOn(databaseFolder, pid)) return undefined;
  return {
    pid,
    port: Number(lines[3]),
    socketFolder: lines[4]?.trim() ?? '',
    isReady: lines[7]?.trim() === 'ready',
  };
}

/**
 * The name that all processes of a server show in the system's list of processes (`cluster_name`), by which those are
 * found that outlived their postmaster.
 */
export function createClusterName(databaseFolder: string): string {
  return `embedded_${createHash('sha256').update(databaseFolder).digest('hex').slice(0, 16)}`;
}

/**
 * Clears the way for a new PostgreSQL after the last one did not close in order. For the folder's owner only.
 *
 * One that still runs is closing, because its owner was killed, or has lost its supervisor: it is stopped. After a
 * power cut the file may name a process that is something else by now: then file and socket are only leftovers, which
 * PostgreSQL itself would not dare to overwrite.
 * @throws EmbeddedPostgresError `server-does-not-stop` when not even SIGKILL ends it
 */
export async function cleanUpAfterCrash(databaseFolder: string, socketFolder: string): Promise<void> {
  await stopPostmaster(databaseFolder);
  rmSync(resolvePidFile(databaseFolder), { force: true });
  rmSync(join(socketFolder, socketName), { force: true });
  rmSync(join(socketFolder, `${socketName}.lock`), { force: true });
}

/**
 * Ends the PostgreSQL on this folder and everything of it: in order, and without order when that takes too long, as it
 * does while PostgreSQL recovers from the death of one of its processes. Harmless when none runs.
 * @throws EmbeddedPostgresError `server-does-not-stop` when not even SIGKILL ends it
 */
export async function stopPostmaster(databaseFolder: string): Promise<void> {
  const pid = readRunningPostmaster(databaseFolder)?.pid;
  if (pid !== undefined && !(await endProcess(databaseFolder, pid))) {
    throw new EmbeddedPostgresError({ code: 'server-does-not-stop', folder: databaseFolder, pid });
  }
  // Removed by PostgreSQL when it closes in order: then no process of it is left.
  if (existsSync(resolvePidFile(databaseFolder))) await killChildrenOfDeadPostmaster(databaseFolder);
}

async function endProcess(databaseFolder: string, pid: number): Promise<boolean> {
  for (const [signal, timeoutMs] of stopSignals) {
    sendSignal(pid, signal);
    const isLateAt = Date.now() + timeoutMs;
    while (Date.now() < isLateAt) {
      if (!isPostgresOn(databaseFolder, pid) && !isLettingGo(pid)) return true;
      await wait(20);
    }
  }
  return false;
}

/**
 * Processes of a dead postmaster end by themselves, but not while they are busy or stopped; as long as one is there,
 * PostgreSQL refuses to start on the folder.
 */
async function killChildrenOfDeadPostmaster(databaseFolder: string): Promise<void> {
  const title = `postgres: ${createClusterName(databaseFolder)}: `;
  const giveUpAt = Date.now() + killTimeoutMs;
  const killed = new Set<number>();
  while (Date.now() < giveUpAt) {
    const children = listProcesses().filter(
      ({ args }) => args.startsWith(title) || isUntitledChild(databaseFolder, args),
    );
    if (children.length === 0 && ![...killed].some(isLettingGo)) return;
    for (const { pid } of children) {
      sendSignal(pid, 'SIGKILL');
      killed.add(pid);
    }
    await wait(20);
  }
}

/** One that has just been forked has the postmaster's command line still, which separates by NUL on Linux. */
const isUntitledChild = (databaseFolder: string, args: string) =>
  /^([^\0]*postgres\0-D\0|\S*postgres -D )/.test(args) &&
  (args.includes(`\0${databaseFolder}\0`) || args.includes(` ${databaseFolder} `));

/**
 * A process that ends loses its command line a moment before its shared memory, which keeps PostgreSQL from starting.
 * It is a zombie, or gone, only when it has given back both.
 */
function isLettingGo(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(readOrEmpty(`/proc/${pid}/stat`)) ?? [];
  return name === 'postgres' && state !== 'Z' && state !== 'X' && readOrEmpty(`/proc/${pid}/cmdline`) === '';
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or belongs to somebody else: whoever waits for its end sees which.
  }
}

/** Every process that can be seen, with its command line; none on Windows, which does not show these. */
function listProcesses(): { pid: number; args: string }[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), args: readOrEmpty(`/proc/${name}/cmdline`) }));
  }
  return execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => {
      const [, pid, args = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
      return { pid: Number(pid), args };
    });
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const resolvePidFile = (databaseFolder: string) => join(databaseFolder, 'postmaster.pid');

/**
 * A number in a file proves nothing: the process must exist, be a `postgres`, be no zombie, and have been started
 * on this very folder, so that nobody else's PostgreSQL is stopped. Windows shows us no process's arguments: there the
 * name alone has to do.
 */
function isPostgresOn(databaseFolder: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') {
      const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return name === 'postgres' && state !== 'Z' && state !== 'X' && args.includes(databaseFolder);
    }
    if (process.platform === 'win32') {
      const row = execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/NH'], { encoding: 'utf8' });
      return row.includes('postgres');
    }
    const row = execFileSync('ps', ['-ww', '-o', 'stat=,args=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    return !row.startsWith('Z') && row.includes('postgres') && row.includes(databaseFolder);
  } catch {
    return false;
  }
}
