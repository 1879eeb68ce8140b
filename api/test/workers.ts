import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { childPids, postmasterPid } from '@parts-forge/embedded-postgres/linux-processes';
import { expect } from 'vitest';
import { isOpen, readCommand, type Settings, settings, startShopProcess } from './processes.ts';
import type { Program } from './programs.ts';

export interface ShopOfWorkers {
  given: Settings;
  shop: Program;
}

export async function startTwoWorkers(more: Record<string, string> = {}): Promise<ShopOfWorkers> {
  const given = { ...(await settings()), ...more };
  const shop = startShopProcess({ ...given, WORKERS: '2' });
  await isOpen(shop);
  await expect.poll(() => listWorkers(shop).length).toBe(2);
  return { given, shop };
}

/** Without PostgreSQL's supervisor. */
export const listWorkers = ({ child }: Program): number[] =>
  childPids(child.pid ?? 0).filter((pid) => readCommand(pid).includes('worker.ts'));

export const listAll = ({ given, shop }: ShopOfWorkers): number[] => {
  const postmaster = postmasterPid(given.DATA_DIR);
  return [shop.child.pid ?? 0, ...childPids(shop.child.pid ?? 0), postmaster, ...childPids(postmaster)];
};

/** On a new connection, for which the system chooses a process. */
export async function ask(
  { PORT }: Settings,
  path: string,
  { body, headers = {} }: Asked = {},
): Promise<Told> {
  const asked = request({
    port: Number(PORT),
    host: '127.0.0.1',
    path,
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
  });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}
interface Asked {
  body?: object;
  headers?: Record<string, string>;
}
interface Told {
  status: number;
  body: string;
}
