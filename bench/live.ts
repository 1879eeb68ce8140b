import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { makeDataFolder } from './data-folder.ts';
import { type Figure, summarize } from './figures.ts';
import { findProduct } from './find-product.ts';
import { ask, signInAsAdministrator } from './people.ts';
import { findProcessBelow } from './processor-time.ts';
import { startShop } from './shop-process.ts';

const streams = 5000;
/** At a time, below the system's connection backlog. */
const wave = 250;
const rounds = 5;
/** Above the shop's minimum between two events of a part. */
const pauseMs = 1500;
const restMs = 5000;
const patienceMs = 30_000;
const settings = {
  MAX_CONNECTIONS: String(streams * 2),
  MAX_CONNECTIONS_PER_ADDRESS: String(streams * 2),
  MAX_STREAMS_PER_ADDRESS: String(streams),
};

export interface LiveResult {
  streams: number;
  /** Growth of the serving process, in MiB. */
  memoryMb: number;
  /** From sending a new stock to its arrival. */
  slowestMs: Figure;
  percentile99Ms: Figure;
}

/**
 * All streams watch the same part.
 * @returns the reason, as a sentence, without figures of memory
 */
export async function measureLive(): Promise<LiveResult | string> {
  if (process.platform !== 'linux') return 'Only Linux tells how much memory a process has.';
  const folder = makeDataFolder();
  const shop = await startShop({ DATA_DIR: folder.path, ...settings });
  const readers: Socket[] = [];
  try {
    for (const path of ['/readyz', '/', '/all-products']) await shop.firstSuccess(path);
    const origin = `http://127.0.0.1:${shop.port}`;
    const pid = findProcessBelow(shop.pid, 'process/main');
    if (pid === null) throw new Error('The process that serves was not found.');
    const token = await signInAsAdministrator(origin);
    const product = await findProduct(shop.port);
    const stocks = createStockWatch();
    // One-time costs do not count.
    readers.push(...(await openStreams(1, shop.port, product._id, stocks)));
    await stocks.reached(product.quantity, 1);
    await wait(restMs);
    const before = readResidentMb(pid);
    for (let opened = 1; opened < streams; opened += wave) {
      const count = Math.min(wave, streams - opened);
      readers.push(...(await openStreams(count, shop.port, product._id, stocks)));
    }
    await stocks.reached(product.quantity, streams);
    await wait(restMs);
    const memoryMb = Math.round(readResidentMb(pid) - before);
    const times: number[][] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await wait(pauseMs);
      const quantity = product.quantity + round;
      const startedAt = performance.now();
      const reached = stocks.reached(quantity, streams);
      await ask(`${origin}/product/${product._id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ quantity }),
      });
      times.push((await reached).map((at) => at - startedAt).sort((a, b) => a - b));
    }
    return {
      streams,
      memoryMb,
      slowestMs: summarize(
        times.map((all) => all.at(-1) ?? Number.NaN),
        0,
      ),
      percentile99Ms: summarize(
        times.map((all) => all[Math.floor(streams * 0.99)] ?? Number.NaN),
        0,
      ),
    };
  } finally {
    for (const reader of readers) reader.destroy();
    await shop.stop();
    await folder.remove();
  }
}

type StockWatch = ReturnType<typeof createStockWatch>;

function createStockWatch() {
  const seen = new Map<number, number[]>();
  return {
    note(quantity: number): void {
      const times = seen.get(quantity) ?? [];
      times.push(performance.now());
      seen.set(quantity, times);
    },
    /** @returns the times of receipt. @throws Error after half a minute */
    async reached(quantity: number, count: number): Promise<number[]> {
      const until = performance.now() + patienceMs;
      while ((seen.get(quantity)?.length ?? 0) < count) {
        if (performance.now() > until) {
          throw new Error(`${seen.get(quantity)?.length ?? 0} of ${count} streams were told of a stock.`);
        }
        await wait(10);
      }
      return seen.get(quantity) ?? [];
    },
  };
}

function openStreams(count: number, port: number, productId: string, stocks: StockWatch): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => openStream(port, productId, stocks)));
}

/** Resolves once the response has begun. @throws Error when it is no stream */
function openStream(port: number, productId: string, stocks: StockWatch): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let rest = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      rest += text;
      if (rest.startsWith('HTTP/1.1 ') && !rest.startsWith('HTTP/1.1 200 ')) {
        reject(new Error(`A stream was answered with ${rest.split('\r\n', 1)[0]}.`));
      }
      resolve(socket);
      const end = rest.lastIndexOf('\n\n');
      for (const [, quantity] of rest.slice(0, end + 2).matchAll(/"quantity":(\d+),"price":[^\n]*\n\n/g)) {
        stocks.note(Number(quantity));
      }
      if (end !== -1) rest = rest.slice(end + 2);
    });
    socket.once('error', reject);
    socket.write(
      `GET /live?products=${productId} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`,
    );
  });
}

/** MiB. */
const readResidentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
