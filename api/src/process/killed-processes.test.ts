import { isRunning, postmasterPid, signalAll } from '@parts-forge/embedded-postgres/linux-processes';
import { describe, expect, test, vi } from 'vitest';
import { type Ancestry, startThroughNpm } from '#test/launched-shop.ts';
import { isGone, isOpen, settings, startShopProcess } from '#test/processes.ts';
import { listAll, listWorkers, startTwoWorkers } from '#test/workers.ts';

// Each kill is detected differently: the launcher watches npm, the parent changes, the child ends, or the
// channel closes.
const kills: (keyof Ancestry)[][] = [
  ['npm'],
  ['shell'],
  ['shop'],
  ['npm', 'launcher', 'supervisor', 'postmaster'],
];

test.each(kills.map((victims) => ({ victims, names: victims.join(', ') })))(
  'npm start leaves nothing behind when killed: $names',
  async ({ victims }) => {
    const { all, everything } = await startThroughNpm();
    signalAll(
      victims.map((name) => all[name]),
      'SIGKILL',
    );
    for (const pid of everything) await isGone(pid);
  },
);

test('the shop survives one death of PostgreSQL, not repeated deaths', async () => {
  const given = await settings();
  const shop = startShopProcess(given);
  await isOpen(shop);
  // Five deaths within a minute are the limit; a busy machine may take longer for the first five.
  const ended = shop.ended.then(() => null);
  let last = 0;
  for (let count = 0; count < 20; count += 1) {
    const running = vi.waitFor(() => nextPostmaster(given.DATA_DIR, last), { timeout: 60_000, interval: 20 });
    const pid = await Promise.race([running.catch(() => null), ended]);
    if (pid === null) break;
    last = pid;
    signalAll([pid], 'SIGKILL');
    await isGone(pid);
    if (count > 0) continue;
    await vi.waitFor(
      async () => expect((await fetch(`http://127.0.0.1:${given.PORT}/readyz`)).status).toBe(200),
      { timeout: 30_000, interval: 50 },
    );
    expect(shop.said()).toContain('PostgreSQL ended unexpectedly (status 137); it is started again.');
  }
  expect(await shop.ended).toBe(1);
  expect(shop.said()).toMatch(/PostgreSQL ends again and again \(.+\); the shop closes\./);
});

/** @throws while no new postmaster runs; the dead one stays listed until its parent reaps it */
function nextPostmaster(dataDir: string, last: number): number {
  const pid = postmasterPid(dataDir);
  return pid !== last && isRunning(pid) ? pid : fail();
}

describe('a shop of two processes', () => {
  test('leaves nothing behind when its supervisor is killed', async () => {
    const started = await startTwoWorkers();
    const everything = listAll(started);
    started.shop.child.kill('SIGKILL');
    for (const pid of everything) await isGone(pid);
  });

  test('ends with a sentence when its workers die repeatedly', async () => {
    const { shop } = await startTwoWorkers();
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
