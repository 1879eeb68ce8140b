import { expect, test, vi } from 'vitest';
import { isGone } from '#test/processes.ts';
import { ask, listWorkers, startTwoWorkers } from '#test/workers.ts';

test('two workers share limits and metrics, and a dead one is replaced', async () => {
  const METRICS_TOKEN = 'reads-the-figures';
  const { given, shop } = await startTwoWorkers({ METRICS_TOKEN });
  expect(shop.said()).toContain(`The shop is open at http://localhost:${given.PORT} in 2 processes`);
  const [first = 0, second = 0] = listWorkers(shop);

  const headers = { origin: `http://localhost:${given.PORT}` };
  // At once, so that they fall into one window of the limit.
  const signIns = Array.from({ length: 12 }, (_, count) => {
    const body = { email: `${count}@shop.example`, password: 'wrong-one' };
    return ask(given, '/identity/sign-in/email', { body, headers });
  });
  const statuses = (await Promise.all(signIns)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(9);

  for (let count = 0; count < 40; count += 1) await ask(given, '/config');
  const countConfig = async () => {
    const { body } = await ask(given, '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    return Number(/_count\{method="GET",route="\/config",status="200"\} (\d+)/.exec(body)?.[1]);
  };
  for (let count = 0; count < 6; count += 1) expect(await countConfig()).toBe(40);

  process.kill(first, 'SIGKILL');
  await isGone(first);
  // The other worker still serves, and the metrics of the dead one remain.
  expect((await ask(given, '/readyz')).status).toBe(200);
  await vi.waitFor(() => expect(listWorkers(shop)).toHaveLength(2), { timeout: 10_000 });
  expect(listWorkers(shop)).toContain(second);
  expect(shop.said()).toContain('ended unexpectedly (SIGKILL); another one takes its place.');
  expect(await countConfig()).toBe(40);

  // Without the second, only the replacement answers.
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
