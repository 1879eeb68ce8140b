import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { expect, inject } from 'vitest';
import { buildApp } from '#src/app.ts';
import type { PasswordCost } from '#src/identity/embedded/password-hash.ts';
import { type Clock, systemClock } from '#src/platform/core/clock.ts';
import { type Config, readConfig } from '#src/platform/core/config.ts';
import { createLog } from '#src/platform/core/log.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { migrate } from '#src/platform/database/migrate.ts';
import { boundStatementsOfRole } from '#src/platform/database/pooler.ts';
import { createServices, type Services } from '#src/services.ts';
import type { Answer, RequestOptions } from './answer.ts';
import { createDatabase, dropDatabase } from './databases.ts';
import { describedAnswers } from './described-answers.ts';

/** Minimal: no result depends on the cost. */
const testPasswordCost: PasswordCost = { memoryKib: 64, passes: 1 };

/** In log lines. */
const ERROR_LEVEL = 50;

/** With its own database. */
export interface TestShop {
  url: string;
  app: FastifyInstance;
  config: Config;
  services: Services;
  db: Services['database']['db'];
  pool: Services['database']['pool'];
  /** At `error` or above. */
  errors: unknown[];
  /**
   * Checks the log, and empties it.
   * @param expected the errors or their number; default: at least one
   */
  expectErrors(expected?: readonly object[] | number): void;
  /** Checks every answer against `/openapi.json`. @throws Error for a difference */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface ShopOptions {
  /** Override the tests' own. */
  env?: Record<string, string>;
  /** Default: the system's. */
  clock?: Clock;
  /** Like a second process. */
  shareDatabaseWith?: TestShop;
  /** Production's cost of hashes. */
  withCostlyPasswords?: boolean;
  /** Receives lines of every level; default: errors only. */
  onLine?: (line: string) => void;
  /** Migrated at the start, and free to change; default: a new one in the run's PostgreSQL. */
  connection?: pg.PoolConfig;
}

/** As in production, except for rate limits, the demo seed and the cost of passwords. */
export async function startShop({
  env = {},
  clock = systemClock,
  shareDatabaseWith,
  connection: given,
  onLine,
  withCostlyPasswords = false,
}: ShopOptions = {}): Promise<TestShop> {
  const dataDir = shareDatabaseWith?.config.dataDir ?? mkdtempSync(path.join(tmpdir(), 'parts-forge-shop-'));
  const config = readConfig({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    SEED: 'none',
    LOG_LEVEL: 'error',
    SANDBOX_CONTROL: '1',
    // Image processes have the lowest priority: small pictures take long on a busy machine.
    PICTURE_TIMEOUT_MS: '60000',
    ...env,
  });
  const errors: unknown[] = [];
  const log = createLog(onLine ? 'trace' : 'error', (line) => {
    onLine?.(line);
    const parsed = JSON.parse(line);
    if (parsed.level >= ERROR_LEVEL) errors.push(parsed);
  });
  const own = shareDatabaseWith
    ? { connection: shareDatabaseWith.services.database.connection, drop: async () => {} }
    : given
      ? { connection: given, drop: async () => {} }
      : await newDatabase(inject('databaseTemplate'));
  const pooled = routeThroughPooler(own.connection);
  const database = openDatabase(
    pooled ?? own.connection,
    config,
    (error) => errors.push(error),
    pooled && own.connection,
  );
  if (pooled) await boundStatementsOfRole(database, config);
  if (given) await migrate(database);
  const services = await createServices(
    config,
    database,
    log,
    clock,
    undefined,
    withCostlyPasswords ? undefined : testPasswordCost,
  );
  const app = await buildApp(services);
  await app.listen({ host: '127.0.0.1', port: config.port });
  const url = `http://127.0.0.1:${config.port}`;
  const checkAnswer = await describedAnswers(app, JSON.stringify(env));
  return {
    url,
    app,
    config,
    services,
    db: database.db,
    pool: database.pool,
    errors,
    expectErrors(expected) {
      const logged = errors.splice(0);
      if (expected === undefined) expect(logged).not.toEqual([]);
      else if (typeof expected === 'number') expect(logged).toHaveLength(expected);
      else expect(logged).toMatchObject(expected);
    },
    async request(where, options = {}) {
      const answer = await request(url + where, options);
      checkAnswer(where, options, answer);
      return answer;
    },
    async close() {
      await app.close();
      await services.close();
      await database.close();
      await own.drop();
      if (!shareDatabaseWith) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function request(
  url: string,
  { method = 'GET', token, body, headers = {} }: RequestOptions = {},
): Promise<Answer> {
  const isForm = body instanceof FormData || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: isForm || typeof body === 'string' ? (body as BodyInit) : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

export interface TestDatabase {
  connection: pg.PoolConfig;
  drop(): Promise<void>;
}

/** Without tables, as before the first start. */
export const newEmptyDatabase = (): Promise<TestDatabase> => newDatabase();

async function newDatabase(template?: string): Promise<TestDatabase> {
  const server: pg.PoolConfig = JSON.parse(inject('adminConnection'));
  const name = inject('databasePrefix') + randomBytes(6).toString('hex');
  const connection = await createDatabase(server, name, template);
  return { connection, drop: () => dropDatabase(server, name) };
}

/** Undefined without a pooler or for another server. */
function routeThroughPooler({ connectionString }: pg.PoolConfig): pg.PoolConfig | undefined {
  const poolerUrl = inject('poolerUrl');
  const server: pg.PoolConfig = JSON.parse(inject('adminConnection'));
  if (!poolerUrl || !connectionString || !server.connectionString) return undefined;
  const [own, known, pooler] = [connectionString, server.connectionString, poolerUrl].map(
    (url) => new URL(url),
  );
  if (own?.host !== known?.host || !pooler || !own) return undefined;
  pooler.pathname = own.pathname;
  return { connectionString: pooler.href };
}
