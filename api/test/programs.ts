import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Program {
  child: ChildProcess;
  pid: number;
  /** The last 100,000 characters of both streams. */
  said(): string;
  isRunning(): boolean;
  /** After all output: exit status; null after a signal. */
  ended: Promise<number | null>;
  /** Default: SIGTERM. @returns exit status; null after a signal */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** None outlives this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param options `env`: beside it the program gets nothing but what finds programs and folders */
export function startProgram(
  command: string,
  args: readonly string[],
  { env, input = '', logFile, ...options }: SpawnOptions & { input?: string; logFile?: string } = {},
): Program {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  const child = spawn(command, args, {
    cwd: '/',
    ...options,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH, HOME, TMPDIR, SystemRoot, ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-100_000);
      if (logFile) appendFileSync(logFile, text);
    });
  }
  child.stdin.on('error', () => {}).end(input);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    pid: child.pid ?? 0,
    said: () => said,
    isRunning,
    ended: once(child, 'close').then(([status]) => status),
    async end(signal = 'SIGTERM') {
      if (!isRunning()) return child.exitCode;
      child.kill(signal);
      const [status] = await once(child, 'exit');
      return status;
    },
  };
}

export const launcherFile = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

/** By the usual command. @param settings the only ones */
export const launchShop = (settings: Record<string, string>): Program =>
  startProgram(process.execPath, [launcherFile], { env: { LOG_LEVEL: 'error', ...settings } });

/** On a new connection: a kept one would end with the shop. */
export async function isAnswered(url: string): Promise<boolean> {
  const headers = { accept: 'text/html', connection: 'close' };
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(3_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** @throws Error with what the program said, when it ends first or after `patienceMs`; default: five minutes */
export async function waitFor(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { program, patienceMs = 300_000 }: { program?: Program; patienceMs?: number } = {},
): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!(await isSo())) {
    const isLate = performance.now() > until;
    if (isLate || program?.isRunning() === false) {
      throw new Error(
        `No ${what}${isLate ? ` within ${patienceMs} ms` : ''}. ${program?.said().trim() ?? ''}`,
      );
    }
    await pause(10);
  }
}
