import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A process of ours, with nothing in its environment but what is given, and all that it said. */
interface Started {
  child: ChildProcess;
  said(): string;
  /** Its exit status; null after a signal. */
  ended: Promise<number | null>;
}

function run(args: string[], env: Record<string, string>, input = ''): Started {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  child.stdin.on('error', () => {}).end(input);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  cleanUps.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { child, said: () => output, ended };
}

const startShop = (env: Record<string, string>) => run(['api/src/main.ts'], { LOG_LEVEL: 'warn', ...env });

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parts-forge-start-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Settings for a shop that comes up quickly: no demo, its own folder, a free port. */
async function settings(): Promise<{ PORT: string; DATA_DIR: string; SEED: string }> {
  return { PORT: String(await freePort()), DATA_DIR: join(newFolder(), 'data'), SEED: 'none' };
}

async function isOpen(shop: Started): Promise<void> {
  const opened = vi.waitFor(() => expect(shop.said()).toContain('The shop is open at'), {
    timeout: 90_000,
    interval: 50,
  });
  await Promise.race([
    opened,
    shop.ended.then(() => {
      throw new Error(`The shop ended: ${shop.said()}`);
    }),
  ]);
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

async function isGone(pid: number): Promise<void> {
  const stat = `/proc/${pid}/stat`;
  const isRunning = () => existsSync(stat) && !/\) [ZX]/.test(readFileSync(stat, 'utf8'));
  await vi.waitFor(() => expect(isRunning()).toBe(false), { timeout: 15_000, interval: 20 });
}

describe('what keeps the shop from starting is told in one sentence', () => {
  test('a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    cleanUps.push(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const shop = startShop({ ...(await settings()), PORT: String(port) });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      `Port ${port} is taken by another program: end it, or set PORT to another one.\n`,
    );
  });

  test('a data folder that cannot be written', async () => {
    const file = join(newFolder(), 'a-file');
    writeFileSync(file, '');
    const shop = startShop({ ...(await settings()), DATA_DIR: join(file, 'data') });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      `The data folder ${file}/data cannot be written (ENOTDIR): allow it, or set DATA_DIR to another folder.\n`,
    );
  });

  test('a DATABASE_URL that does not answer, without its password', async () => {
    const port = await freePort();
    const url = `postgres://shop:secret@127.0.0.1:${port}/shop`;
    const shop = startShop({ ...(await settings()), DATABASE_URL: url });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      `DATABASE_URL does not answer at 127.0.0.1:${port}/shop: connect ECONNREFUSED 127.0.0.1:${port}\n`,
    );
  });

  test('settings that are wrong, all of them at once', async () => {
    const shop = startShop({ ...(await settings()), PORT: 'http', RATE_LIMITS: 'perhaps' });
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toBe(
      'The settings are wrong:\n- PORT must be a whole number from 0 to 65535.\n- RATE_LIMITS must be one of on, off.\n',
    );
  });

  test('another shop on the same data folder', async () => {
    const given = await settings();
    const first = startShop(given);
    await isOpen(first);
    const second = startShop({ ...given, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    expect(second.said()).toBe(`Another shop is using this data folder: ${given.DATA_DIR}\n`);
    expect((await fetch(`http://127.0.0.1:${given.PORT}/healthz`)).status).toBe(200);
  });
});

describe('the shop', () => {
  test('shows the address and the first sign-in once, and answers', async () => {
    const given = await settings();
    const first = startShop(given);
    await isOpen(first);
    expect(first.said()).toContain(`The shop is open at http://localhost:${given.PORT}`);
    expect(first.said()).toMatch(
      /The first administrator signs in as \S+@\S+ with the password \S{12,} \(shown/,
    );
    expect((await fetch(`http://127.0.0.1:${given.PORT}/readyz`)).status).toBe(200);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    const second = startShop(given);
    await isOpen(second);
    expect(second.said()).not.toContain('password');
  });

  test('closes in order on SIGTERM and leaves no PostgreSQL behind', async () => {
    const given = await settings();
    const shop = startShop(given);
    await isOpen(shop);
    const pid = postmasterPid(given.DATA_DIR);
    shop.child.kill('SIGTERM');
    expect(await shop.ended).toBe(0);
    await isGone(pid);
    expect(existsSync(join(given.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('finishes the answers it has begun when it is told to end, and takes no new ones', async () => {
    const given = await settings();
    const shop = startShop(given);
    await isOpen(shop);
    const socket = connect(Number(given.PORT), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    // The call has begun: its head is there, its body is still on the way.
    socket.write('POST /order HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
    socket.write('expect: 100-continue\r\ncontent-length: 2\r\n\r\n');
    await vi.waitFor(() => expect(answer).toContain('100 Continue'), { timeout: 10_000 });
    shop.child.kill('SIGTERM');
    await vi.waitFor(() => expect(shop.said()).toContain('Closing the shop.'), { timeout: 10_000 });
    await expect(fetch(`http://127.0.0.1:${given.PORT}/healthz`)).rejects.toThrow();
    socket.write('{}');
    await vi.waitFor(() => expect(answer).toContain('HTTP/1.1 401'), { timeout: 10_000 });
    expect(await shop.ended).toBe(0);
  });

  test('killed at once leaves no PostgreSQL behind, and the next start needs no repair', async () => {
    const given = await settings();
    const shop = startShop(given);
    await isOpen(shop);
    const pid = postmasterPid(given.DATA_DIR);
    shop.child.kill('SIGKILL');
    const next = startShop(given);
    await isOpen(next);
    await isGone(pid);
  });

  test('says so and ends when PostgreSQL dies', async () => {
    const given = await settings();
    const shop = startShop(given);
    await isOpen(shop);
    process.kill(postmasterPid(given.DATA_DIR), 'SIGKILL');
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toContain('PostgreSQL ended unexpectedly (status 137); the shop closes.');
  });
});

describe('npm start', () => {
  test('ends everything when it is told to, when it is killed, and when npm is gone', async () => {
    const given = await settings();
    for (const end of ['SIGTERM', 'SIGKILL'] as const) {
      const launcher = run(['scripts/start.mjs'], given);
      await isOpen(launcher);
      const pid = postmasterPid(given.DATA_DIR);
      launcher.child.kill(end);
      await launcher.ended;
      await isGone(pid);
    }

    // A shell stands for npm: it starts the launcher, tells its own number and is killed without a word.
    const npm = run(['-e', launchAndStay], { ...given, LAUNCHER: join(root, 'scripts', 'start.mjs') });
    await isOpen(npm);
    const pid = postmasterPid(given.DATA_DIR);
    npm.child.kill('SIGKILL');
    await isGone(pid);
  });
});

const launchAndStay = `
  require('node:child_process').spawn(process.execPath, [process.env.LAUNCHER], { stdio: 'inherit' });
  setInterval(() => {}, 1000);
`;

describe('npm run create-admin', () => {
  const password = 'a long enough password';
  const signIn = async (port: string, origin: string) =>
    fetch(`http://127.0.0.1:${port}/identity/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: 'chief@shop.example', password }),
    });

  test('makes an administrator while the shop runs', async () => {
    const given = await settings();
    const shop = startShop(given);
    await isOpen(shop);
    const command = run(['scripts/create-admin.mjs', 'chief@shop.example', 'Chief'], given, `${password}\n`);
    expect(await command.ended, command.said()).toBe(0);
    expect(command.said()).toContain('chief@shop.example is an administrator now.');
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(200);
  });

  test('makes an administrator while the shop does not run', async () => {
    const given = await settings();
    const command = run(['scripts/create-admin.mjs', 'chief@shop.example'], given, password);
    expect(await command.ended, command.said()).toBe(0);
    const shop = startShop(given);
    await isOpen(shop);
    expect((await signIn(given.PORT, `http://localhost:${given.PORT}`)).status).toBe(200);
  });

  test('refuses a short password in one sentence', async () => {
    const command = run(['scripts/create-admin.mjs', 'chief@shop.example'], await settings(), 'short\n');
    expect(await command.ended).toBe(1);
    expect(command.said()).toContain('The password must be 12 characters or longer.');
  });
});
