import { afterEach, expect, test, vi } from 'vitest';
import { startRestartingServer } from './restarting-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A server with simulated processes; `die` ends the current one. */
async function play() {
  const running: ((how: string) => void)[] = [];
  const deaths: string[] = [];
  const start = async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    running.push(resolve);
    return { exit: promise, stop: async () => resolve('status 0') };
  };
  const server = await startRestartingServer(start, (how) => deaths.push(how));
  const die = () => running.at(-1)?.('status 137');
  const dieAndRestart = async () => {
    const count = running.length;
    die();
    await vi.waitFor(() => expect(running).toHaveLength(count + 1), { timeout: 30_000 });
  };
  return { server, deaths, die, dieAndRestart, count: () => running.length };
}

test('the fifth death within a minute ends the restarts', async () => {
  const { server, deaths, die, dieAndRestart, count } = await play();
  for (let death = 1; death <= 4; death += 1) await dieAndRestart();
  die();
  expect(await server.failure).toBe('status 137');
  expect([deaths.length, count()]).toEqual([4, 5]);
  await server.stop();
});

test('deaths older than a minute do not count', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { server, deaths, dieAndRestart } = await play();
  for (let death = 1; death <= 4; death += 1) await dieAndRestart();
  vi.setSystemTime(Date.now() + 60_001);
  for (let death = 1; death <= 4; death += 1) await dieAndRestart();
  expect(deaths).toHaveLength(8);
  await server.stop();
});
