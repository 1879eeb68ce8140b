import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
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

const stopTimeoutMs = 60_000;

/** @returns the PostgreSQL that runs on this folder now, or `undefined` when none does */
export function readRunningPostmaster(databaseFolder: string): Postmaster | undefined {
  const file = join(databaseFolder, 'postmaster.pid');
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

/** Tells the PostgreSQL on this folder to end, and does not wait. Harmless when none runs. */
export function signalPostmaster(databaseFolder: string, signal: NodeJS.Signals): void {
  const postmaster = readRunningPostmaster(databaseFolder);
  if (!postmaster) return;
  try {
    process.kill(postmaster.pid, signal);
  } catch {
    // It ended between the two lines.
  }
}

/**
 * Clears the way for a new PostgreSQL after the last one did not close in order. For the folder's owner only.
 *
 * One that still runs is closing, because its owner was killed, or has lost its supervisor: it is told to stop and
 * waited for. After a power cut the file may name a process that is something else by now: then file and socket
 * are only leftovers, which PostgreSQL itself would not dare to overwrite.
 * @throws EmbeddedPostgresError `server-does-not-stop` after a minute
 */
export async function cleanUpAfterCrash(databaseFolder: string, socketFolder: string): Promise<void> {
  await stopOrphan(databaseFolder);
  rmSync(join(databaseFolder, 'postmaster.pid'), { force: true });
  rmSync(join(socketFolder, socketName), { force: true });
  rmSync(join(socketFolder, `${socketName}.lock`), { force: true });
}

async function stopOrphan(databaseFolder: string): Promise<void> {
  const orphan = readRunningPostmaster(databaseFolder);
  if (!orphan) return;
  const giveUpAt = Date.now() + stopTimeoutMs;
  try {
    process.kill(orphan.pid, 'SIGINT');
  } catch {
    // It ended by itself, or belongs to somebody else: the wait below tells which.
  }
  while (isPostgresOn(databaseFolder, orphan.pid)) {
    if (Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError({
        code: 'server-does-not-stop',
        folder: databaseFolder,
        pid: orphan.pid,
      });
    }
    await wait(20);
  }
}

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
