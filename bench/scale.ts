import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import type { Pool } from 'pg';
import { type Database, openDatabase } from '../api/src/platform/database/connection.ts';
import { migrate } from '../api/src/platform/database/migrate.ts';
import { closing } from './closing.ts';
import { makeDataFolder } from './data-folder.ts';
import { type Address, buildUrl } from './order-database.ts';
import { fillAtScale, type Scale } from './scale-data.ts';
import { startShop } from './shop-process.ts';

const small: Scale = { products: 1000, users: 1000, orders: 1000 };
const large: Scale = { products: 1_000_000, users: 1_000_000, orders: 5_000_000 };
const rounds = 3;
/** One a page size, so that no response is cached. */
const asked = 100;
/** Three answers a round are enough for slower reads. */
const slowMs = 500;

export interface ScaleResult {
  what: string;
  /** Null where the shop gave up with 503. */
  smallPercentile99Ms: number | null;
  largePercentile99Ms: number | null;
}

interface Reader {
  get(path: string): Promise<Answer>;
  close(): void;
}
interface Answer {
  /** Infinite for a 503. */
  ms: number;
  /** Null on the last. */
  next: string | null;
}

/** `limit` differs each time. */
const readings: Record<string, (limit: number) => string> = {
  'parts, newest': (limit) => `/product?limit=${limit}`,
  'parts by name': (limit) => `/product?sort=name&limit=${limit}`,
  'parts by price': (limit) => `/product?sort=price&limit=${limit}`,
  'parts in stock': (limit) => `/product?available=true&limit=${limit}`,
  'parts, a common word': (limit) => `/product?q=battery&limit=${limit}`,
  // Adjacent names, far from the first.
  'parts by name, a common word': (limit) => `/product?q=speaker&sort=name&limit=${limit}`,
  'parts, a rare word': (limit) => `/product?q=no.%20777&limit=${limit}`,
  'parts, nothing found': (limit) => `/product?q=typewriter&limit=${limit}`,
  'parts, one letter': (limit) => `/product?q=a&limit=${limit}`,
  // Cyrillic, as every Latin letter is in some part.
  'parts, a letter that is in none': (limit) => `/product?q=%D0%B6&limit=${limit}`,
  'parts, two letters that are never together': (limit) => `/product?q=gd&limit=${limit}`,
  'parts, two words that are never together': (limit) => `/product?q=battery%20camera&limit=${limit}`,
  'parts, a part number': (limit) => `/product?q=PF-0000777&limit=${limit}`,
  'parts, similar names': (limit) => `/product?q=battrey&similar=true&limit=${limit}`,
  'parts of a kind': (limit) => `/product?kind=Cameras&limit=${limit}`,
  'parts of a kind by price': (limit) => `/product?kind=Cameras&sort=price&limit=${limit}`,
  'parts for a phone': (limit) => `/product?fits=Lumen%207&limit=${limit}`,
  'parts, counts beside the list': (limit) => `/product/facets?q=battery%20${limit}`,
  'parts, counts beside all': () => `/product/facets`,
  'orders, newest': (limit) => `/order?limit=${limit}`,
  'orders, pending': (limit) => `/order?status=pending&limit=${limit}`,
  'orders, refunded': (limit) => `/order?closed=refunded&limit=${limit}`,
  'orders, a common word': (limit) => `/order?q=battery&limit=${limit}`,
  'orders, a rare word': (limit) => `/order?q=customer-777%40&limit=${limit}`,
  'orders, a common word and a status': (limit) => `/order?status=pending&q=battery&limit=${limit}`,
  'orders, a number': (limit) => `/order?q=${10_000 + limit}&limit=${limit}`,
  'orders, one letter': (limit) => `/order?q=a&limit=${limit}`,
  'orders, a letter that is in none': (limit) => `/order?q=%C3%BC&limit=${limit}`,
  'orders of a customer': (limit) => `/order?email=customer-42%40shop-42.example&limit=${limit}`,
  // Prevents cached answers.
  overview: (limit) => `/overview?unused=${limit}`,
  'users, newest': (limit) => `/user?limit=${limit}`,
  'users, a common word': (limit) => `/user?q=okafor&limit=${limit}`,
  'users, one letter': (limit) => `/user?q=a&limit=${limit}`,
  'users, a letter that is in none': (limit) => `/user?q=%C3%BC&limit=${limit}`,
  'activity, newest': (limit) => `/activity?limit=${limit}`,
  'activity of a topic': (limit) => `/activity?what=stock&limit=${limit}`,
  'activity, a rare topic': (limit) => `/activity?what=people&limit=${limit}`,
  'activity, a common word': (limit) => `/activity?q=battery&limit=${limit}`,
  "a part's ledger": (limit) => `/product/00000000-0000-7000-8000-000000000042/stock?limit=${limit}`,
};
/** A hundred pages deep. */
const walks = { 'parts, deep pages': '/product?limit=100', 'orders, deep pages': '/order?limit=100' };

/**
 * A thousand rows against millions, on an installed PostgreSQL. Settings differ from the defaults only for
 * faster filling.
 * @returns the reason, as a sentence, without an installed PostgreSQL
 */
export async function measureScale(): Promise<ScaleResult[] | string> {
  const folder = makeDataFolder();
  const server = await startEmbeddedPostgres({
    dataDir: folder.path,
    source: 'installed',
    transport: 'tcp',
    database: 'small',
    settings: { fsync: 'off', max_wal_size: '4GB' },
  }).catch(async (error: unknown) => {
    await folder.remove();
    if (error instanceof EmbeddedPostgresError) return null;
    throw error;
  });
  if (!server) return 'No PostgreSQL of version 15 or newer is installed here.';
  const stopServer = closing(server.stop);
  try {
    const address: Address = { password: '', ...server.connection };
    const times = new Map<string, { small: number[]; large: number[] }>();
    await withPool(address, (pool) => pool.query('create database large'));
    for (const [size, scale] of Object.entries({ small, large }) as ['small' | 'large', Scale][]) {
      await besideFilledShop({ ...address, database: size }, scale, async (reader) => {
        // Warm-up: a new process is slow at any size.
        for (const address of Object.values(readings)) await reader.get(address(asked));
        for (let round = 0; round < rounds; round += 1)
          await readEverything(reader, (what, ms) => {
            const both = times.get(what) ?? { small: [], large: [] };
            both[size].push(ms);
            times.set(what, both);
          });
      });
    }
    return [...times].map(([what, both]) => ({
      what,
      smallPercentile99Ms: percentile99(both.small),
      largePercentile99Ms: percentile99(both.large),
    }));
  } finally {
    await stopServer();
    await folder.remove();
  }
}

async function readEverything(reader: Reader, note: (what: string, ms: number) => void): Promise<void> {
  for (const [what, address] of Object.entries(readings)) {
    for (let limit = 1; limit <= asked; limit += 1) {
      const { ms } = await reader.get(address(limit));
      note(what, ms);
      if (ms > slowMs && limit >= 3) break;
    }
  }
  for (const [what, first] of Object.entries(walks)) {
    let path: string | null = first;
    for (let page = 0; page < asked && path !== null; page += 1) {
      const { ms, next } = await reader.get(path);
      note(what, ms);
      path = next;
    }
  }
}

/** Read by its administrator. */
async function besideFilledShop(
  address: Address,
  scale: Scale,
  work: (reader: Reader) => Promise<void>,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await withPool(address, async (pool, database) => {
    await migrate(database);
    await fillAtScale(pool, scale);
    await pool.query(`update users set role = 'admin' where id = '00000000-0000-7000-8000-000000000001'`);
    // The shop stores tokens by their SHA-256.
    await pool.query(
      `insert into access_tokens (hash, user_id, expires_at)
       values ($1, '00000000-0000-7000-8000-000000000001', now() + interval '1 day')`,
      [createHash('sha256').update(token).digest()],
    );
  });
  const folder = makeDataFolder();
  const shop = await startShop({ DATA_DIR: folder.path, DATABASE_URL: buildUrl(address), SEED: 'none' });
  try {
    await shop.firstSuccess('/readyz');
    const reader = createReader(shop.port, token);
    try {
      await work(reader);
    } finally {
      reader.close();
    }
  } finally {
    await shop.stop();
    await folder.remove();
  }
}

/** One request after the other. */
function createReader(port: number, token: string): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = (path: string) =>
    new Promise<Answer>((resolve, reject) => {
      const startedAt = performance.now();
      const headers = { authorization: `Bearer ${token}` };
      request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
        response.resume().once('end', () => {
          const { statusCode, headers } = response;
          const next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1] ?? null;
          if (statusCode === 200) resolve({ ms: performance.now() - startedAt, next });
          else if (statusCode === 503) resolve({ ms: Number.POSITIVE_INFINITY, next });
          else reject(new Error(`${path} was answered with ${statusCode}.`));
        });
      })
        .once('error', reject)
        .end();
    });
  return { get, close: () => agent.destroy() };
}

function percentile99(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN;
  return Number.isFinite(value) ? Number(value.toFixed(1)) : null;
}

async function withPool<T>(
  address: Address,
  work: (pool: Pool, database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(
    { ...address },
    { statementTimeoutMs: 3_600_000, connectionTimeoutMs: 10_000 },
    () => {},
  );
  try {
    return await work(database.pool, database);
  } finally {
    await database.close();
  }
}
