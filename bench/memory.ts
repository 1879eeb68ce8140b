import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { administrator, type ShopProcess, startShop } from './shop-process.ts';

const runs = 3;
const restMs = 10_000;

/**
 * Megabytes of 2^20 bytes, as PSS: memory that several processes share counts once, divided among them.
 * @param server the process that serves, and pictures being made
 */
export interface MemoryResult {
  launcher: Figure;
  server: Figure;
  postgres: Figure;
  all: Figure;
}

/**
 * What a shop with data takes at rest, after it has shown its public pages and somebody has signed in.
 * @returns the reason, as a sentence, where the system does not tell it
 */
export async function measureMemory(): Promise<MemoryResult | string> {
  if (process.platform !== 'linux') return 'Only Linux tells how much memory processes share.';
  const folder = makeDataFolder();
  try {
    await useShop(folder.path, async () => {});
    const taken: Shares[] = [];
    for (let run = 0; run < runs; run += 1) taken.push(await useShop(folder.path, measureAtRest));
    const summarizeShare = (read: (shares: Shares) => number) => summarize(taken.map(read), 0);
    return {
      launcher: summarizeShare(({ launcher }) => launcher),
      server: summarizeShare(({ server }) => server),
      postgres: summarizeShare(({ postgres }) => postgres),
      all: summarizeShare(({ launcher, server, postgres }) => launcher + server + postgres),
    };
  } finally {
    await folder.remove();
  }
}

type Shares = Record<'launcher' | 'server' | 'postgres', number>;

async function useShop<T>(dataDir: string, work: (shop: ShopProcess) => Promise<T>): Promise<T> {
  const shop = await startShop({ DATA_DIR: dataDir });
  try {
    await shop.firstSuccess('/readyz');
    return await work(shop);
  } finally {
    await shop.stop();
  }
}

async function measureAtRest(shop: ShopProcess): Promise<Shares> {
  for (const path of ['/', '/all-products', '/login']) await shop.firstSuccess(path);
  await signIn(shop.port);
  await wait(restMs);
  const shares: Shares = { launcher: readPss(shop.pid), server: 0, postgres: 0 };
  for (const pid of listDescendants(shop.pid)) {
    const isNode = basename(readlinkSync(`/proc/${pid}/exe`)) === 'node';
    shares[isNode ? 'server' : 'postgres'] += readPss(pid);
  }
  return shares;
}

async function signIn(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/identity/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
    body: JSON.stringify(administrator),
  });
  if (!response.ok) throw new Error(`The sign-in was answered with ${response.status}.`);
}

/** Children of a process, their children, and so on. */
function listDescendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readParent(name) === pid)
    .map(Number);
  return children.flatMap((child) => [child, ...listDescendants(child)]);
}

/** Null for a process that has just ended. */
function readParent(pid: string): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

function readPss(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
