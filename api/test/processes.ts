import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { createThrowAwayFolder } from '@parts-forge/embedded-postgres/throw-away-folder';
import { afterEach, expect, inject, vi } from 'vitest';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** In reverse order. */
export const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** With only the given environment. */
export interface Started {
  child: ChildProcess;
  said(): string;
  /** Exit status; null after a signal. */
  ended: Promise<number | null>;
}

/** Saves a third of a shop's start. */
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

export const startShopProcess = (env: Record<string, string>) =>
  run(['api/src/process/main.ts'], { LOG_LEVEL: 'warn', ...env });

export function newFolder(): string {
  const folder = createThrowAwayFolder();
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** With all tables and an administrator, which halves the time of a start. */
export function copyReadyDataFolder(dataDir = join(newFolder(), 'data')): string {
  // As root, PostgreSQL runs as its files' owner, which Node's copy would change.
  execFileSync('cp', ['-Rp', inject('readyDataFolder'), dataDir]);
  return dataDir;
}

export type Settings = {
  PORT: string;
  DATA_DIR: string;
  SEED: string;
};

/** No demo, a free port, a copied data folder. */
export async function settings(): Promise<Settings> {
  return { ...(await settingsOfNewShop()), DATA_DIR: copyReadyDataFolder() };
}

/** Without a data folder. */
export async function settingsOfNewShop(): Promise<Settings> {
  return { PORT: String(await freePort()), DATA_DIR: join(newFolder(), 'data'), SEED: 'none' };
}

/**
 * The response has begun, the body is incomplete.
 * @returns `finish` sends the body and waits for the response
 */
export async function beginRequest({ PORT }: Pick<Settings, 'PORT'>): Promise<{ finish(): Promise<void> }> {
  const socket = connect(Number(PORT), '127.0.0.1').setEncoding('utf8');
  cleanUps.push(() => socket.destroy());
  let answer = '';
  socket
    .on('error', () => {})
    .on('data', (text) => {
      answer += text;
    });
  // Other calls check the caller before the body.
  socket.write(
    'POST /identity/sign-in/email HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n',
  );
  socket.write('expect: 100-continue\r\ncontent-length: 2\r\n\r\n');
  await expect.poll(() => answer).toContain('100 Continue');
  return {
    async finish() {
      expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('{}');
      await expect.poll(() => answer).toContain('HTTP/1.1 400');
    },
  };
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

/** Empty for an ended process. */
export function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** With all threads: another may hold the port after the main one. */
export async function isGone(pid: number, timeout = 15_000): Promise<void> {
  await vi.waitFor(() => expect(listThreads(pid).filter(isRunning)).toEqual([]), { timeout, interval: 20 });
}

function listThreads(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map((thread) => join(folder, thread)) : [];
}

function isRunning(thread: string): boolean {
  const stat = join(thread, 'stat');
  return existsSync(stat) && !/\) [ZX]/.test(readFileSync(stat, 'utf8'));
}
