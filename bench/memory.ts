import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { signInAsAdministrator } from './people.ts';
import { listProcessesBelow } from './processor-time.ts';
import { type ShopProcess, startShop } from './shop-process.ts';

const runs = 3;
const restMs = 10_000;

/**
 * MiB; shared memory counts once, divided among the shop's processes. Equals PSS when nothing else runs the
 * same programs.
 * @param server includes image processing
 */
export interface MemoryResult {
  launcher: Figure;
  server: Figure;
  postgres: Figure;
  all: Figure;
}

/**
 * At rest, after a visit of the public pages and a sign-in.
 * @returns the reason, as a sentence, without figures of shared memory
 */
export async function measureMemory(): Promise<MemoryResult | string> {
  if (process.platform !== 'linux') return 'Only Linux tells how much memory processes share.';
  const folder = makeDataFolder();
  try {
    await useShop(folder.path, async () => {});
    const taken: Shares[] = [];
    for (let run = 0; run < runs; run += 1) taken.push(await useShop(folder.path, measureAtRest));
    return {
      launcher: summarize(taken, ({ launcher }) => launcher, 0),
      server: summarize(taken, ({ server }) => server, 0),
      postgres: summarize(taken, ({ postgres }) => postgres, 0),
      all: summarize(taken, ({ launcher, server, postgres }) => launcher + server + postgres, 0),
    };
  } finally {
    await folder.remove();
  }
}

/** MiB. */
export type Shares = Record<'launcher' | 'server' | 'postgres', number>;

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
  await signInAsAdministrator(`http://127.0.0.1:${shop.port}`);
  await wait(restMs);
  return readShares(shop);
}

export function readShares(shop: ShopProcess): Shares {
  const shares: Shares = { launcher: 0, server: 0, postgres: 0 };
  const mapped = [shop.pid, ...listProcessesBelow(shop.pid)].map((pid) => ({ pid, ...readMappings(pid) }));
  for (const { pid, own, files } of mapped) {
    const isNode = basename(readlinkSync(`/proc/${pid}/exe`)) === 'node';
    const ofFiles = [...files].reduce((sum, [name, resident]) => {
      const users = mapped.filter((other) => other.files.has(name)).length;
      return sum + resident / users;
    }, 0);
    shares[pid === shop.pid ? 'launcher' : isNode ? 'server' : 'postgres'] += (own + ofFiles) / 1024;
  }
  return shares;
}

/**
 * Kilobytes: own memory with shares of anonymous memory, and each mapped file, which other shops may map too.
 */
function readMappings(pid: number): { own: number; files: Map<string, number> } {
  const files = new Map<string, number>();
  let own = 0;
  for (const mapping of readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)) {
    const name = /^\S+ \S+ \S+ \S+ \S+ +(\/(?!dev\/|SYSV).*)/.exec(mapping)?.[1];
    const read = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(mapping)?.[1] ?? 0);
    // Modified pages are the process's own.
    const changed = name === undefined ? 0 : read('Anonymous');
    own += name === undefined ? read('Pss') : changed;
    if (name !== undefined) files.set(name, (files.get(name) ?? 0) + read('Rss') - changed);
  }
  return { own, files };
}
