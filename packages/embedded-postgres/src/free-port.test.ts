import { expect, test, vi } from 'vitest';

test('concurrent searches never share a port', async () => {
  const finders: (() => Promise<number>)[] = [];
  for (let i = 0; i < 30; i += 1) {
    vi.resetModules();
    finders.push((await import('./free-port.ts')).freePort);
  }
  const found = await Promise.all(finders.flatMap((freePort) => Array.from({ length: 40 }, freePort)));
  expect(new Set(found).size).toBe(30 * 40);
});
