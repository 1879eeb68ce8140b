import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import {
  childPids,
  isGone,
  isOpen,
  postmasterPid,
  readCommand,
  run,
  type Started,
  settings,
  startShopProcess,
} from '#test/processes.ts';

type Settings = Awaited<ReturnType<typeof settings>>;

/** The processes that serve, without PostgreSQL's supervisor. */
const listWorkers = ({ child }: Started): number[] =>
  childPids(child.pid ?? 0).filter((pid) => readCommand(pid).includes('worker.ts'));

/** On a connection of its own, for which the system chooses one of the processes. */
async function ask({ PORT }: Settings, path: string, { body, headers = {} }: Asked = {}): Promise<Told> {
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

async function startWorkers(count: number, more: Record<string, string> = {}) {
  const given = { ...(await settings()), ...more };
  const shop = startShopProcess({ ...given, WORKERS: String(count) });
  await isOpen(shop);
  // Open is said by the first of them; a single one is the process itself.
  await expect.poll(() => listWorkers(shop).length).toBe(count === 1 ? 0 : count);
  return { given, shop };
}

/** Everything that runs for a shop: its processes and PostgreSQL's. */
const listAll = ({ given, shop }: { given: Settings; shop: Started }): number[] => {
  const postmaster = postmasterPid(given.DATA_DIR);
  return [shop.child.pid ?? 0, ...childPids(shop.child.pid ?? 0), postmaster, ...childPids(postmaster)];
};

describe('a shop of two processes', () => {
  test('opens once, says so once, serves from both, and replaces one that dies', async () => {
    const { given, shop } = await startWorkers(2);
    expect(shop.said()).toContain(`The shop is open at http://localhost:${given.PORT} in 2 processes`);
    expect(shop.said().match(/The first administrator signs in/g)).toHaveLength(1);
    expect(shop.said().match(/Payments:/g)).toHaveLength(1);
    const [first = 0, second = 0] = listWorkers(shop);
    expect((await ask(given, '/readyz')).status).toBe(200);

    process.kill(first, 'SIGKILL');
    await isGone(first);
    // The other one serves meanwhile.
    expect((await ask(given, '/readyz')).status).toBe(200);
    await vi.waitFor(() => expect(listWorkers(shop)).toHaveLength(2), { timeout: 10_000 });
    expect(listWorkers(shop)).toContain(second);
    expect(shop.said()).toContain('ended unexpectedly (SIGKILL); another one takes its place.');

    // Once the other is gone, too, it is the new one that answers.
    process.kill(second, 'SIGKILL');
    await isGone(second);
    await vi.waitFor(async () => expect((await ask(given, '/readyz')).status).toBe(200), {
      timeout: 30_000,
      interval: 50,
    });
    expect(shop.said().match(/Payments:/g)).toHaveLength(1);
    shop.child.kill('SIGTERM');
    expect(await shop.ended).toBe(0);
  });

  test('finishes the answers it has begun on SIGTERM and leaves nothing behind', async () => {
    const { given, shop } = await startWorkers(2);
    const everything = listAll({ given, shop });
    const socket = connect(Number(given.PORT), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    socket.write('POST /order HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
    socket.write('expect: 100-continue\r\ncontent-length: 2\r\n\r\n');
    await vi.waitFor(() => expect(answer).toContain('100 Continue'), { timeout: 10_000 });
    shop.child.kill('SIGTERM');
    await vi.waitFor(() => expect(ask(given, '/healthz')).rejects.toThrow(), { timeout: 10_000 });
    socket.write('{}');
    await vi.waitFor(() => expect(answer).toContain('HTTP/1.1 401'), { timeout: 10_000 });
    expect(await shop.ended).toBe(0);
    for (const pid of everything) await isGone(pid);
    expect(existsSync(join(given.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('leaves nothing behind when the process that watches the others is killed', async () => {
    const { given, shop } = await startWorkers(2);
    const everything = listAll({ given, shop });
    shop.child.kill('SIGKILL');
    for (const pid of everything) await isGone(pid);
    const next = startShopProcess(given);
    await isOpen(next);
  });

  test('leaves nothing behind when its launcher is killed', async () => {
    const given = await settings();
    const launcher = run(['scripts/start.mjs'], { ...given, WORKERS: '2' });
    await isOpen(launcher);
    const [shop = 0] = childPids(launcher.child.pid ?? 0);
    const postmaster = postmasterPid(given.DATA_DIR);
    const everything = [shop, ...childPids(shop), postmaster, ...childPids(postmaster)];
    launcher.child.kill('SIGKILL');
    for (const pid of everything) await isGone(pid);
  });

  test('counts sign-ins together, and adds up its figures, also those of a process that died', async () => {
    const METRICS_TOKEN = 'reads-the-figures';
    const { given, shop } = await startWorkers(2, { METRICS_TOKEN });
    const statuses = [];
    for (let count = 0; count < 12; count += 1) {
      const body = { email: `${count}@shop.example`, password: 'wrong-one' };
      const headers = { origin: `http://localhost:${given.PORT}` };
      statuses.push((await ask(given, '/identity/sign-in/email', { body, headers })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(9);

    for (let count = 0; count < 40; count += 1) await ask(given, '/config');
    const countConfig = async () => {
      const { body } = await ask(given, '/metrics', {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      });
      return Number(/_count\{method="GET",route="\/config",status="200"\} (\d+)/.exec(body)?.[1]);
    };
    for (let count = 0; count < 6; count += 1) expect(await countConfig()).toBe(40);
    const [pid = 0] = listWorkers(shop);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(shop.said()).toContain('another one takes its place'), { timeout: 10_000 });
    expect(await countConfig()).toBe(40);
  });

  test('ends with a sentence when its processes die again and again', async () => {
    const { shop } = await startWorkers(2);
    const ended = shop.ended.then(() => 'ended' as const);
    for (let count = 0; count < 20; count += 1) {
      const pid = await Promise.race([
        vi.waitFor(() => listWorkers(shop)[0] ?? fail(), { timeout: 30_000, interval: 10 }).catch(() => 0),
        ended,
      ]);
      if (pid === 'ended') break;
      process.kill(pid, 'SIGKILL');
      await isGone(pid);
    }
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toContain('Processes of the shop end again and again (SIGKILL); the shop closes.');
  });
});

function fail(): never {
  throw new Error('There is none.');
}

test('a shop that is told to end refuses to be called ready at first, and serves on while a balancer looks away', async () => {
  const { given, shop } = await startWorkers(1, { DRAIN_MS: '5000' });
  const toldAt = performance.now();
  shop.child.kill('SIGTERM');
  await vi.waitFor(async () => expect((await ask(given, '/readyz')).status).toBe(503), {
    timeout: 20_000,
    interval: 10,
  });
  const answer = await fetch(`http://127.0.0.1:${given.PORT}/healthz`);
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  expect(await shop.ended).toBe(0);
  expect(performance.now() - toldAt).toBeGreaterThan(4_900);
  expect(shop.said()).not.toMatch(/"level":(50|"error")/);
});
