import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { createPostgresEnvironment } from './postgres-environment.ts';
import type { RunAs } from './run-as.ts';

const run = promisify(execFile);

/**
 * `initdb` needs a user name, which container users may lack. It sees the number of `nobody`; files still
 * belong to the real user.
 */
const mapToNamedUser = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

/** @throws EmbeddedPostgresError `user-without-name`, `initdb-failed` */
export async function initdb(runAs: RunAs, binaries: PostgresBinaries, args: string[]): Promise<void> {
  let reason = '';
  for (const locale of listLocaleOptions(binaries)) {
    const program = [binaries.initdb, ...args, ...locale];
    const failure = await runToEnd([...runAs.prefix, ...program], runAs);
    if (failure === undefined) return;
    if (isNameMissing(failure) && (await runToEnd([...mapToNamedUser, ...program], runAs)) === undefined)
      return;
    reason = failure;
  }
  if (isNameMissing(reason)) {
    throw new EmbeddedPostgresError({ code: 'user-without-name', uid: process.getuid?.() });
  }
  throw new EmbeddedPostgresError({ code: 'initdb-failed', reason });
}

/**
 * Sorts by code point, the fastest order, and folds case in all languages (`é` finds `É`). Built in since
 * 17; most systems provide it for older versions.
 */
function listLocaleOptions({ majorVersion }: PostgresBinaries): string[][] {
  return majorVersion >= 17
    ? [['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']]
    : [['--locale=C', '--lc-ctype=C.UTF-8'], ['--locale=C']];
}

const isNameMissing = (reason: string) => reason.includes('could not look up effective user ID');

/** Returns the error output. */
async function runToEnd([command = '', ...args]: string[], runAs: RunAs): Promise<string | undefined> {
  try {
    await run(command, args, { ...runAs.identity, cwd: '/', env: createPostgresEnvironment() });
    return undefined;
  } catch (error) {
    return findComplaint(error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error));
  }
}

const afterwards = /^child process exited|^initdb: removing /;
const beforeComplaint = /^.*?\b(?:FATAL|PANIC|ERROR|error): */;
const beforeDetail = /^.*?\bDETAIL: */;

function findComplaint(output: string): string {
  const lines = output.trim().split('\n');
  const at = lines.findLastIndex((line) => beforeComplaint.test(line));
  const complaint = lines[at]?.replace(beforeComplaint, '');
  if (complaint === undefined) return lines.findLast((line) => !afterwards.test(line)) ?? '';
  const next = lines[at + 1] ?? '';
  return beforeDetail.test(next) ? `${complaint} (${next.replace(beforeDetail, '')})` : complaint;
}
