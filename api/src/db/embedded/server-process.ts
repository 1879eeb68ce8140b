import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '#src/platform/core/start-error.ts';
import type { DatabaseFolder } from './database-folder.ts';
import { runningPostmaster } from './postmaster-file.ts';
import { spawnWatched } from './watched-process.ts';

export interface ServerProcess {
  /** Closes in order; after 20 s without order. */
  stop(): Promise<void>;
  /** Settles only when it ends unasked: how, as a few words. */
  died: Promise<string>;
}

const longestStopMs = 20_000;

/**
 * Runs PostgreSQL until it is ready. Recovering after a crash may take as long as it takes.
 * @throws StartError with PostgreSQL's own last words when it ends before that
 */
export async function runServer(
  folder: DatabaseFolder,
  port: number,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', folder.path, '-p', String(port), ...options];
  const child = spawnWatched(folder.runAs, folder.binaries.postgres, args);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `status ${code}`));
  });
  // The pipe breaks when PostgreSQL dies; how it died is what counts.
  child.stdin?.on('error', () => {});
  child.stdout?.resume();

  let lastWords = '';
  const ready = new Promise<'ready'>((resolve) => {
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      log(line);
      if (/FATAL|PANIC|error/.test(line)) lastWords = line.replace(/^.*?(FATAL|PANIC): */, '');
      if (line.includes('database system is ready to accept connections')) resolve('ready');
    });
  });
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== 'ready') throw new StartError(`PostgreSQL does not start (${outcome}): ${lastWords}`);

  let isStopping = false;
  const died = new Promise<string>((resolve) => {
    ended.then((how) => {
      if (isStopping) return;
      // Only the watcher may have died: PostgreSQL must not stay behind without one.
      signalPostgres(folder.path, 'SIGINT');
      resolve(how);
    });
  });
  const stop = async () => {
    isStopping = true;
    if (process.platform === 'win32') stopOnWindows(folder);
    child.stdin?.end();
    const inTime = await Promise.race([ended, wait(longestStopMs, undefined, { ref: false })]);
    if (inTime === undefined) {
      signalPostgres(folder.path, 'SIGQUIT');
      await ended;
    }
  };
  return { stop, died };
}

/** Windows has neither the watcher nor signals; PostgreSQL's own tool tells it. */
function stopOnWindows({ binaries, path }: DatabaseFolder): void {
  spawn(join(dirname(binaries.postgres), 'pg_ctl.exe'), ['stop', '-D', path, '-m', 'fast'], {
    stdio: 'ignore',
  });
}

function signalPostgres(databaseFolder: string, signal: NodeJS.Signals): void {
  const running = runningPostmaster(databaseFolder);
  if (!running) return;
  try {
    process.kill(running.pid, signal);
  } catch {
    // It ended between the two lines.
  }
}
