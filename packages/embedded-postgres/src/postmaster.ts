import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { socketName } from './socket-folder.ts';

/** A kill waits for disk access. */
const killTimeoutMs = 10_000;
/** Timeouts in ms. */
const stopSignals = [
  ['SIGINT', 3_000],
  ['SIGQUIT', 1_000],
  ['SIGKILL', killTimeoutMs],
] as const;

export function readRunningPostmaster(databaseFolder: string) {
  const file = resolvePidFile(databaseFolder);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isPostgresOn(databaseFolder, pid)) return undefined;
  return {
    pid,
    port: Number(lines[3]),
    /** Empty when the server listens on TCP alone. */
    socketFolder: lines[4]?.trim() ?? '',
    isReady: lines[7]?.trim() === 'ready',
  };
}

/** Identifies survivors of a dead postmaster: `cluster_name` is in all process titles. */
export function createClusterName(databaseFolder: string): string {
  return `embedded_${createHash('sha256').update(databaseFolder).digest('hex').slice(0, 16)}`;
}

/**
 * Stops a PostgreSQL without owner or supervisor. Owner only.
 *
 * After a power cut, the PID file may name an unrelated process; PostgreSQL would not overwrite it.
 * @throws EmbeddedPostgresError `server-does-not-stop`
 */
export async function cleanUpAfterCrash(databaseFolder: string, socketFolder: string): Promise<void> {
  await stopPostmaster(databaseFolder);
  rmSync(resolvePidFile(databaseFolder), { force: true });
  rmSync(join(socketFolder, socketName), { force: true });
  rmSync(join(socketFolder, `${socketName}.lock`), { force: true });
}

/**
 * Clean, after a timeout by force. Harmless when none runs.
 * @throws EmbeddedPostgresError `server-does-not-stop`
 */
export async function stopPostmaster(databaseFolder: string): Promise<void> {
  const pid = readRunningPostmaster(databaseFolder)?.pid;
  if (pid !== undefined && !(await endProcess(databaseFolder, pid))) {
    throw new EmbeddedPostgresError({ code: 'server-does-not-stop', folder: databaseFolder, pid });
  }
  // A clean shutdown removes it and leaves no process.
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

/** Busy or stopped processes survive, and PostgreSQL refuses to start beside them. */
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

/** A new fork still has the postmaster's command line (NUL-separated on Linux). */
const isUntitledChild = (databaseFolder: string, args: string) =>
  /^([^\0]*postgres\0-D\0|\S*postgres -D )/.test(args) &&
  (args.includes(`\0${databaseFolder}\0`) || args.includes(` ${databaseFolder} `));

/**
 * An ending process loses its command line before its shared memory, which blocks a start. A zombie holds
 * neither.
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
    // Ended, or another user's; the caller's wait shows which.
  }
}

/** Windows hides command lines. */
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

/** The system may have reused the PID. Windows hides arguments, so there the name must suffice. */
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
