import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { afterEach, expect, vi } from 'vitest';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** What a test leaves to be done after it, last first. */
export const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A process of ours, with nothing of ours in its environment but what is given, and all that it said. */
export interface Started {
  child: ChildProcess;
  said(): string;
  /** Its exit status; null after a signal. */
  ended: Promise<number | null>;
}

/** Compiled modules, which every process would make anew: a third of the time that a shop takes to start. */
const compiled = join(root, '.cache', 'compiled');

export function run(args: string[], env: Record<string, string>, input = ''): Started {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  child.stdin.on('error', () => {}).end(input);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  cleanUps.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, said: () => output, ended };
}

/** The shop as a process of its own. */
export const startShopProcess = (env: Record<string, string>) =>
  run(['api/src/process/main.ts'], { LOG_LEVEL: 'warn', ...env });

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parts-forge-start-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Settings for a shop that comes up quickly: no demo, its own folder, a free port. */
export async function settings(): Promise<{ PORT: string; DATA_DIR: string; SEED: string }> {
  return { PORT: String(await freePort()), DATA_DIR: join(newFolder(), 'data'), SEED: 'none' };
}

export async function isOpen(shop: Started): Promise<void> {
  const opened = vi.waitFor(() => expect(shop.said()).toContain('The shop is open at'), {
    timeout: 90_000,
    interval: 50,
  });
  await Promise.race([
    opened,
    shop.ended.then(() => {
      throw new Error(`The shop ended: ${shop.said()}`);
    }),
  ]);
}

export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

export function parentPid(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
}

export function childPids(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

/** With its arguments; empty for a process that is gone. */
export function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Gone with all of its threads: its main one may end first, while another still holds the port open. */
export async function isGone(pid: number, timeout = 15_000): Promise<void> {
  await vi.waitFor(() => expect(listThreads(pid).filter(isRunning)).toEqual([]), { timeout, interval: 20 });
}

/** The folders of its threads in /proc; none for a process that is gone. */
function listThreads(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map((thread) => join(folder, thread)) : [];
}

function isRunning(thread: string): boolean {
  const stat = join(thread, 'stat');
  return existsSync(stat) && !/\) [ZX]/.test(readFileSync(stat, 'utf8'));
}
