import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { StartError } from '#src/platform/core/start-error.ts';

/**
 * Writes the whole database to a file, as it is at one moment, while the shop goes on.
 * @param pgDump path of the program, at least as new as the server
 * @throws StartError with what the program says; the signal's reason
 */
export async function dumpDatabase(
  pgDump: string,
  databaseUrl: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await runTool(pgDump, ['--format=custom', ...withoutOwners, `--file=${file}`], databaseUrl, signal);
}

/**
 * Puts a dump into a database without tables, in one transaction.
 * @param pgRestore path of the program, at least as new as the one that made the dump
 * @throws StartError with what the program says; nothing has changed then
 */
export async function loadDump(
  pgRestore: string,
  databaseUrl: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await runTool(pgRestore, ['--single-transaction', ...withoutOwners, file], databaseUrl, signal);
}

/** The users of another server are not known here, and only a superuser may comment on an extension. */
const withoutOwners = ['--no-owner', '--no-privileges', '--no-comments'];

/** The password goes through the environment: everybody on the machine can read a command line. */
async function runTool(
  program: string,
  args: string[],
  databaseUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password) || url.searchParams.get('password');
  url.password = '';
  url.searchParams.delete('password');
  const child = spawn(program, [...args, `--dbname=${url.href}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
    signal,
  });
  const ended = once(child, 'close');
  const [said] = await Promise.all([text(child.stderr), ended]);
  if (child.exitCode !== 0) throw new StartError(said.trim() || `${program} failed (${child.exitCode}).`);
}
