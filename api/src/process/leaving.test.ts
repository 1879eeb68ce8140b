import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { beginRequest, isGone } from '#test/processes.ts';
import { ask, listAll, startTwoWorkers } from '#test/workers.ts';

test('two workers drain, then finish requests under way on SIGTERM', async () => {
  const started = await startTwoWorkers({ DRAIN_MS: '1500' });
  const { given, shop } = started;
  const everything = listAll(started);
  const begun = await beginRequest(given);
  const toldAt = performance.now();
  shop.child.kill('SIGTERM');
  await vi.waitFor(() => expect(ask(given, '/healthz')).rejects.toThrow(), { timeout: 30_000 });
  expect(performance.now() - toldAt).toBeGreaterThan(1_400);
  await begun.finish();
  expect(await shop.ended).toBe(0);
  expect(shop.said()).not.toMatch(/"level":(50|"error")/);
  for (const pid of everything) await isGone(pid);
  expect(existsSync(join(given.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);
});
