import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  childPids,
  isGone,
  isOpen,
  parentPid,
  postmasterPid,
  root,
  run,
  settings,
  startShopProcess,
} from '#test/processes.ts';
import { signalAll } from '#test/signal-all.ts';

describe('the shop', () => {
  test('closes in order on SIGTERM and leaves no PostgreSQL behind', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const pid = postmasterPid(given.DATA_DIR);
    shop.child.kill('SIGTERM');
    expect(await shop.ended).toBe(0);
    await isGone(pid);
    expect(existsSync(join(given.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('finishes the answers it has begun when it is told to end, and takes no new ones', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
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
    const shop = startShopProcess(given);
    await isOpen(shop);
    const pid = postmasterPid(given.DATA_DIR);
    shop.child.kill('SIGKILL');
    const next = startShopProcess(given);
    await isOpen(next);
    await isGone(pid);
  });

  test('goes on when its PostgreSQL dies, whichever of its processes was killed', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const isReady = () =>
      vi.waitFor(
        async () => expect((await fetch(`http://127.0.0.1:${given.PORT}/readyz`)).status).toBe(200),
        { timeout: 30_000, interval: 50 },
      );
    const killings: ((postmaster: number) => number)[] = [
      (postmaster) => postmaster,
      (postmaster) => childPids(postmaster)[0] ?? 0,
      (postmaster) => parentPid(postmaster),
    ];
    for (const choose of killings) {
      await isReady();
      const pid = choose(postmasterPid(given.DATA_DIR));
      process.kill(pid, 'SIGKILL');
      await isGone(pid);
    }
    await isReady();
    expect(shop.said()).toContain('PostgreSQL ended unexpectedly (status 137); it is started again.');
    shop.child.kill('SIGTERM');
    expect(await shop.ended).toBe(0);
  });

  test('says so and ends when its PostgreSQL dies again and again', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    // Five deaths within a minute are too many; a busy machine may need more than a minute for the first five.
    const ended = shop.ended.then(() => null);
    for (let count = 0; count < 20; count += 1) {
      const running = vi.waitFor(() => runningPostmaster(given.DATA_DIR), { timeout: 60_000, interval: 20 });
      const pid = await Promise.race([running.catch(() => null), ended]);
      if (pid === null) break;
      signalAll([pid], 'SIGKILL');
      await isGone(pid);
    }
    expect(await shop.ended).toBe(1);
    expect(shop.said()).toMatch(/PostgreSQL ends again and again \(.+\); the shop closes\./);
  });
});

/** @throws while none runs */
function runningPostmaster(dataDir: string): number {
  const pid = postmasterPid(dataDir);
  parentPid(pid);
  return pid;
}

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

    // A process stands for npm: it starts the launcher, tells its own number and is killed without a word.
    const npm = run(['-e', launchAndStay], { ...given, LAUNCHER: join(root, 'scripts', 'start.mjs') });
    await isOpen(npm);
    const pid = postmasterPid(given.DATA_DIR);
    npm.child.kill('SIGKILL');
    await isGone(pid);
  });

  /** npm, its shell, the launcher, the shop, PostgreSQL's supervisor, PostgreSQL. */
  async function startThroughNpm() {
    const given = await settings();
    // A shell that has something left to do does not put the launcher in its own place.
    const npm = run(['-e', launchInShellAndStay], {
      ...given,
      LAUNCHER: join(root, 'scripts', 'start.mjs'),
      npm_lifecycle_event: 'start',
    });
    await isOpen(npm);
    const postmaster = postmasterPid(given.DATA_DIR);
    const supervisor = parentPid(postmaster);
    const shop = parentPid(supervisor);
    const launcher = parentPid(shop);
    const shell = parentPid(launcher);
    expect(parentPid(shell)).toBe(npm.child.pid);
    const all = { npm: npm.child.pid ?? 0, shell, launcher, shop, supervisor, postmaster };
    const others = [...childPids(supervisor), ...childPids(postmaster)];
    return { given, all, everything: [...Object.values(all), ...others] };
  }

  test.each([
    'npm',
    'shell',
    'launcher',
    'shop',
    'npm launcher',
    'npm shop',
    'launcher shop postmaster',
    'shop supervisor',
    'npm launcher supervisor postmaster',
    'npm shell launcher shop',
  ])('leaves nothing behind when killed: %s', async (killed) => {
    const { given, all, everything } = await startThroughNpm();
    const names = Object.keys(all) as (keyof typeof all)[];
    const victims = names.filter((name) => killed.split(' ').includes(name));
    signalAll(
      victims.map((name) => all[name]),
      'SIGKILL',
    );
    for (const pid of everything) await isGone(pid);
    const next = startShopProcess(given);
    await isOpen(next);
  });

  test('gives the answers that it has begun three seconds when it is abandoned', async () => {
    const { given, all, everything } = await startThroughNpm();
    const socket = connect(Number(given.PORT), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket
      .on('error', () => {})
      .on('data', (text) => {
        answer += text;
      });
    socket.write('POST /order HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
    socket.write('expect: 100-continue\r\ncontent-length: 2\r\n\r\n');
    await vi.waitFor(() => expect(answer).toContain('100 Continue'), { timeout: 10_000 });
    process.kill(all.launcher, 'SIGKILL');
    // The port is closed: the shop has noticed, and waits for this body.
    await vi.waitFor(() => expect(fetch(`http://127.0.0.1:${given.PORT}/healthz`)).rejects.toThrow(), {
      timeout: 10_000,
      interval: 20,
    });
    socket.write('{}');
    await vi.waitFor(() => expect(answer).toContain('HTTP/1.1 401'), { timeout: 10_000 });
    for (const pid of everything) await isGone(pid);
  });
});

const launchAndStay = `
  require('node:child_process').spawn(process.execPath, [process.env.LAUNCHER], { stdio: 'inherit' });
  setInterval(() => {}, 1000);
`;
const launchInShellAndStay = `
  require('node:child_process').spawn('/bin/sh', ['-c', '"$0" "$LAUNCHER"; exit $?', process.execPath], { stdio: 'inherit' })
    .on('exit', () => process.exit(1));
`;
