import { expect, test, vi } from 'vitest';
import { createWorker } from './worker.ts';

/** Handles each item until the test ends it. */
function aWorker({ atOnce = 2, graceMs = 0 } = {}) {
  const due: string[] = [];
  const limits: number[] = [];
  const begun = new Map<string, PromiseWithResolvers<string>>();
  const signals: AbortSignal[] = [];
  const log = { warn: vi.fn() };
  let gate: Promise<unknown> = Promise.resolve();
  const worker = createWorker({
    async claim(limit) {
      limits.push(limit);
      const items = due.splice(0, limit);
      await gate;
      return items;
    },
    handle(item: string, signal) {
      const end = Promise.withResolvers<string>();
      begun.set(item, end);
      signals.push(signal);
      return end.promise;
    },
    atOnce,
    graceMs,
    log,
    message: 'it failed',
  });
  return {
    ...worker,
    due,
    limits,
    log,
    signals,
    begun: () => [...begun.keys()],
    end: (item: string) => begun.get(item)?.resolve(item),
    fail: (item: string) => begun.get(item)?.reject(new Error(item)),
    /** The next claim waits for the returned function. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

/** Everything that waits for no test has happened. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('requests during a claim share one more claim', async () => {
  const { wake, due, hold, limits } = aWorker();
  due.push('running');
  wake();
  await settle();
  const release = hold();
  wake();
  await settle();
  for (let count = 0; count < 4; count += 1) wake();
  await settle();
  expect(limits).toEqual([2, 1]);
  release();
  await settle();
  expect(limits).toEqual([2, 1, 1]);
});

test('a slow item holds up no other', async () => {
  const { run, due, begun, end, limits } = aWorker();
  due.push('slow', 'b', 'c');
  const done = run();
  await settle();
  expect(begun()).toEqual(['slow', 'b']);
  end('b');
  await settle();
  end('c');
  due.push('d');
  await settle();
  end('d');
  await settle();
  expect(begun()).toEqual(['slow', 'b', 'c', 'd']);
  expect(limits).toEqual([2, 1, 1, 1]);
  end('slow');
  expect(await done).toEqual(['b', 'c', 'd', 'slow']);
});

test('a free place takes a new item while a slow one runs', async () => {
  const { wake, due, begun } = aWorker();
  due.push('slow');
  wake();
  await settle();
  due.push('new');
  wake();
  await settle();
  expect(begun()).toEqual(['slow', 'new']);
});

test('a request that comes while a run ends is not lost', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const { wake, run, due, hold, begun } = aWorker();
    const release = hold();
    void run();
    release();
    for (let turn = 0; turn < turns; turn += 1) await null;
    due.push('late');
    wake();
    await settle();
    expect(begun(), `after ${turns} turns`).toEqual(['late']);
  }
});

test('closing waits for running items, then cuts them', async () => {
  const { wake, close, due, begun, end, signals } = aWorker({ graceMs: 60_000 });
  due.push('a', 'b', 'never');
  wake();
  await settle();
  const closed = close();
  end('a');
  await settle();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  end('b');
  await closed;
  expect(begun()).toEqual(['a', 'b']);
});

test('closing without a grace cuts running items and waits for them', async () => {
  const { wake, close, due, end, signals } = aWorker();
  due.push('a');
  wake();
  await settle();
  signals[0]?.addEventListener('abort', () => end('a'));
  await close();
  expect(signals[0]?.aborted).toBe(true);
});

test('closing during a claim handles its items and claims no more', async () => {
  const { wake, run, close, hold, due, end, limits, signals } = aWorker({ graceMs: 60_000 });
  due.push('a', 'b');
  const release = hold();
  wake();
  await settle();
  const closed = close();
  wake();
  expect(await run()).toEqual([]);
  release();
  await settle();
  expect(signals).toHaveLength(2);
  end('a');
  end('b');
  await closed;
  wake();
  await settle();
  expect(limits).toEqual([2]);
});

test('after an error nothing is claimed until the next request', async () => {
  const { wake, run, due, begun, end, fail, log } = aWorker();
  due.push('a', 'b', 'c');
  const done = run();
  await settle();
  fail('a');
  await settle();
  expect(begun()).toEqual(['a', 'b']);
  expect(log.warn).toHaveBeenCalledWith({ err: new Error('a') }, 'it failed');
  wake();
  await settle();
  expect(begun()).toEqual(['a', 'b', 'c']);
  end('b');
  end('c');
  await expect(done).rejects.toThrow('a');
});

test('a claim that fails is made again at the next request', async () => {
  let isBroken = true;
  const log = { warn: vi.fn() };
  const { run, wake } = createWorker({
    claim: () => {
      if (isBroken) throw new Error('away');
      return Promise.resolve([]);
    },
    handle: async () => {},
    atOnce: 1,
    log,
    message: 'it failed',
  });
  await expect(run()).rejects.toThrow('away');
  wake();
  await settle();
  expect(log.warn).toHaveBeenCalledTimes(2);
  isBroken = false;
  expect(await run()).toEqual([]);
});

test('an item has its own request id', async () => {
  const { requestContext } = await import('#src/platform/core/request-context.ts');
  const due = ['a', 'b'];
  const { run } = createWorker({
    claim: async (limit) => due.splice(0, limit),
    handle: async () => requestContext.current(),
    atOnce: 2,
    log: { warn: vi.fn() },
    message: 'it failed',
  });
  const contexts = await requestContext.run({ requestId: 'caller' }, run);
  expect(new Set(contexts.map(({ requestId }) => requestId)).size).toBe(2);
  expect(contexts.map(({ actor }) => actor?.kind)).toEqual(['system', 'system']);
});
