import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseFolder } from './database-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { signalPostmaster } from './postmaster.ts';
import { spawnSupervised } from './supervised-process.ts';

export interface ServerProcess {
  /** Closes in order; after 20 s without order. */
  stop(): Promise<void>;
  /** Settles only when it ends unasked: how, as a few words. */
  unexpectedExit: Promise<string>;
}

const stopTimeoutMs = 20_000;

/**
 * Runs PostgreSQL and returns when it is ready. Recovering after a crash may take as long as it takes.
 * @throws EmbeddedPostgresError `server-ended` when it ends before that
 */
export async function startServerProcess(
  folder: DatabaseFolder,
  port: number,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<ServerProcess> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', folder.path, '-p', String(port), ...options];
  const child = spawnSupervised(folder.runAs, folder.binaries.postgres, args);
  const exit = waitForExit(child);
  // The pipe breaks when PostgreSQL dies; how it died is what counts.
  child.stdin?.on('error', () => {});
  child.stdout?.resume();
  await waitUntilReady(child, exit, log);

  let isStopping = false;
  const unexpectedExit = new Promise<string>((resolve) => {
    exit.then((how) => {
      if (isStopping) return;
      // Only the supervisor may have died: PostgreSQL must not stay behind without one.
      signalPostmaster(folder.path, 'SIGINT');
      resolve(how);
    });
  });
  const stop = () => {
    isStopping = true;
    return stopServerProcess(folder, child, exit);
  };
  return { stop, unexpectedExit };
}

/** Settles when the child has ended: how, as a few words. */
function waitForExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `status ${code}`));
  });
}

async function waitUntilReady(
  child: ChildProcess,
  exit: Promise<string>,
  log: (line: string) => void,
): Promise<void> {
  let complaint = '';
  const ready = new Promise<undefined>((resolve) => {
    if (!child.stderr) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      log(line);
      if (/FATAL|PANIC|error/.test(line)) complaint = line.replace(/^.*?(FATAL|PANIC): */, '');
      if (line.includes('database system is ready to accept connections')) resolve(undefined);
    });
  });
  const how = await Promise.race([ready, exit]);
  if (how !== undefined) {
    throw new EmbeddedPostgresError({ code: 'server-ended', exit: how, reason: complaint });
  }
}

async function stopServerProcess(
  folder: DatabaseFolder,
  child: ChildProcess,
  exit: Promise<string>,
): Promise<void> {
  if (process.platform === 'win32') requestStopOnWindows(folder);
  child.stdin?.end();
  const how = await Promise.race([exit, wait(stopTimeoutMs, undefined, { ref: false })]);
  if (how !== undefined) return;
  signalPostmaster(folder.path, 'SIGQUIT');
  await exit;
}

/** Windows has neither the supervisor nor signals; PostgreSQL's own tool asks it to stop. */
function requestStopOnWindows({ binaries, path }: DatabaseFolder): void {
  spawn(join(dirname(binaries.postgres), 'pg_ctl.exe'), ['stop', '-D', path, '-m', 'fast'], {
    stdio: 'ignore',
  });
}
