import { createServer } from 'node:http';
import type pg from 'pg';
import { checks } from '#src/doctor/checks.ts';
import { countWrong, examine, type Report, writeReport } from '#src/doctor/examine.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { examineSettings } from '#src/process/examine-settings.ts';
import { listen } from './listen.ts';
import { cleanUps, run } from './processes.ts';
import type { TestShop } from './start-shop.ts';

export interface Examination {
  status: number | null;
  /** Its output. */
  said: string;
}

/** With only these environment variables. */
export async function runDoctor(env: Record<string, string>): Promise<Examination> {
  const command = run(['scripts/run.mjs', 'doctor'], { SEED: 'none', ...env });
  return { status: await command.ended, said: command.said() };
}

/** Like `runDoctor`; saves the second of starting a process. */
export async function examineBy(env: Record<string, string>): Promise<Examination> {
  return write(await examineSettings({ SEED: 'none', ...env }));
}

/** Saves a connection to the database, too. */
export async function examineShop({ services }: TestShop, env: Record<string, string>): Promise<Examination> {
  const openDatabase = async () => services.database;
  return write(await examine(checks, { config: readConfig(env), openDatabase }));
}

const write = (reports: readonly Report[]): Examination => ({
  status: countWrong(reports) === 0 ? 0 : 1,
  said: writeReport(reports),
});

/** For `DATABASE_URL`. */
export function writeDatabaseUrl(
  connection: pg.PoolConfig,
  user?: { name: string; password: string },
): string {
  const { host = '', port, database, connectionString } = connection;
  const url = new URL(connectionString ?? `postgres://localhost/${database}`);
  if (connectionString === undefined) {
    url.username = connection.user ?? '';
    url.password = typeof connection.password === 'string' ? connection.password : '';
    url.searchParams.set('host', host);
    url.searchParams.set('port', String(port));
  }
  if (user) Object.assign(url, { username: user.name, password: user.password });
  return url.href;
}

export interface FakeStripe {
  url: string;
  /** By path without query, with `pk ` before it for the publishable key; default: an empty list. */
  answers: Map<string, { status: number; body: unknown }>;
  /** Clock skew. */
  aheadSeconds: number;
}

/** Closed after the test. */
export async function startFakeStripe(): Promise<FakeStripe> {
  const fake: FakeStripe = { url: '', answers: new Map(), aheadSeconds: 0 };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stripe');
    const asker = request.headers.authorization?.includes(' pk_') ? 'pk ' : '';
    const { status, body } = fake.answers.get(asker + pathname) ?? {
      status: 200,
      body: { object: 'list', data: [] },
    };
    response.writeHead(status, {
      'content-type': 'application/json',
      date: new Date(Date.now() + fake.aheadSeconds * 1000).toUTCString(),
    });
    response.end(JSON.stringify(body));
  });
  fake.url = `http://127.0.0.1:${await listen(server)}`;
  cleanUps.push(() => server.close());
  return fake;
}

export const stripeError = (type: string, message: string) => ({ error: { type, message } });
