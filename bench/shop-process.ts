import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { closing } from './closing.ts';
import { makeDataFolder } from './data-folder.ts';

const launcher = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url));
/** First administrator of every measured shop. */
export const administrator = { email: 'admin@bench.example', password: 'measured, never used' };
const patienceMs = 60_000;
const pauseMs = 10;

/** A shop in its own process, started by the usual command. */
export interface ShopProcess {
  port: number;
  /** Process id of the launcher, the parent of the others. */
  pid: number;
  /** Time of the command, by `performance.now()`. */
  startedAt: number;
  /** Resolves with the time of a path's first 200, by the same clock. @throws Error at the timeout */
  firstSuccess(path: string): Promise<number>;
  said(): string;
  /** Ends it and waits. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs `node scripts/start.mjs` without waiting.
 * @param settings the only ones: this process's own do not apply
 */
export async function startShop(settings: Record<string, string>): Promise<ShopProcess> {
  const port = await freePort();
  const { PATH = '', HOME = '', TMPDIR, SystemRoot } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [launcher], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH,
      HOME,
      ...(TMPDIR && { TMPDIR }),
      ...(SystemRoot && { SystemRoot }),
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      SEED: 'catalogue',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      PORT: String(port),
      ...settings,
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The launcher could not be started.');
  const ended = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  return {
    port,
    pid,
    startedAt,
    async firstSuccess(path) {
      while (performance.now() - startedAt < patienceMs) {
        if (hasEnded()) throw new Error(`The shop ended instead of answering:\n${said.trim()}`);
        const status = await requestStatus(port, path);
        if (status === 200) return performance.now();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      throw new Error(`The shop did not answer ${path} with 200 within a minute:\n${said.trim()}`);
    },
    said: () => said,
    stop: closing(async () => {
      if (hasEnded()) return;
      child.kill('SIGTERM');
      await ended;
    }),
  };
}

/** Runs `work` beside a shop with the demo catalogue on an embedded database, then removes both. */
export async function besideDemoShop<T>(work: (shop: ShopProcess) => Promise<T>): Promise<T> {
  const folder = makeDataFolder();
  const shop = await startShop({ DATA_DIR: folder.path });
  try {
    await shop.firstSuccess('/readyz');
    return await work(shop);
  } finally {
    await shop.stop();
    await folder.remove();
  }
}

/** Status of one request on a new connection; null when nothing listens. */
function requestStatus(port: number, path: string): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { accept: 'text/html' };
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (response: IncomingMessage) => {
      response
        .resume()
        .once('close', () => resolve(response.complete ? (response.statusCode ?? null) : null));
    })
      .once('error', () => resolve(null))
      .end();
  });
}
