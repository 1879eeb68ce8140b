import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseFolder } from './database-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { createClusterName, stopPostmaster } from './postmaster.ts';
import { spawnSupervised } from './supervised-process.ts';

export interface ServerProcess {
  /** Clean, after a timeout by force. Repeatable. */
  stop(): Promise<void>;
  exit: Promise<string>;
}

/** The supervisor needs at most 5 s. */
const supervisorTimeoutMs = 6_000;

export interface ServerOptions {
  port: number;
  settings: Record<string, string>;
  log(line: string): void;
  onWait(): void;
  signal: AbortSignal;
}

/**
 * Waits without a limit, for crash recovery.
 * @throws EmbeddedPostgresError `server-ended`
 */
export async function startServerProcess(
  folder: DatabaseFolder,
  { port, settings, log, onWait, signal }: ServerOptions,
): Promise<ServerProcess> {
  const named = { ...settings, cluster_name: createClusterName(folder.path) };
  const options = Object.entries(named).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', folder.path, '-p', String(port), ...options];
  const child = spawnSupervised(folder.runAs, folder.binaries.postgres, args);
  const exit = waitForExit(child);
  // The pipe breaks when PostgreSQL dies; `exit` reports the cause.
  child.stdin?.on('error', () => {});
  child.stdout?.resume();
  const stop = () => stopServerProcess(folder, child, exit);
  const stopEarly = () => void stop().catch(() => {});
  signal.addEventListener('abort', stopEarly, { once: true });
  if (signal.aborted) stopEarly();
  const ready = waitUntilReady(child, exit, log);
  onWait();
  await ready;
  signal.removeEventListener('abort', stopEarly);
  return { stop, exit };
}

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
      // A standby accepts read-only connections.
      if (/database system is ready to accept (read-only )?connections/.test(line)) resolve(undefined);
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
  await Promise.race([exit, wait(supervisorTimeoutMs, undefined, { ref: false })]);
  await stopPostmaster(folder.path);
  await exit;
}

/** Windows has neither the supervisor nor signals. */
function requestStopOnWindows({ binaries, path }: DatabaseFolder): void {
  spawn(join(dirname(binaries.postgres), 'pg_ctl.exe'), ['stop', '-D', path, '-m', 'fast'], {
    stdio: 'ignore',
  });
}
