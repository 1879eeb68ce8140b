import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { createThrowAwayFolder } from '@parts-forge/embedded-postgres/throw-away-folder';
import { afterEach, expect, inject, vi } from 'vitest';
import { type Program, startProgram, waitFor } from './programs.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** In reverse order. */
export const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Saves a third of a shop's start. */
const compiled = join(root, '.cache', 'compiled');

/** With only the given environment. */
export function run(args: string[], env: Record<string, string>, input = ''): Program {
  const program = startProgram(process.execPath, args, {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compiled, ...env },
    input,
  });
  cleanUps.push(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  return program;
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

export const isOpen = (shop: Program): Promise<void> =>
  waitFor('open shop', () => shop.said().includes('The shop is open at'), {
    program: shop,
    patienceMs: 90_000,
  });

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
