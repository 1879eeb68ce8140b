import { afterEach, expect, test, vi } from 'vitest';
import { Problem } from '#src/platform/core/problem.ts';
import { type CoalesceBounds, coalesceCalls } from './coalesce-calls.ts';

/** Runs that end on command. */
function controlledRuns(bounds?: CoalesceBounds<string>) {
  const runs: { items: readonly string[]; succeed(result?: string): void; fail(error: Error): void }[] = [];
  const call = coalesceCalls((items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    runs.push({ items, succeed: (result = 'done') => resolve(result), fail: reject });
    return promise;
  }, bounds);
  return { runs, call, itemsOfRuns: () => runs.map(({ items }) => items) };
}

/** Resolves when all ready work is done. */
const settled = () => new Promise(setImmediate);

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a lone call runs at once', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns();
  const only = call('a');
  await Promise.resolve();
  expect(itemsOfRuns()).toEqual([['a']]);
  runs[0]?.succeed('result');
  expect(await only).toBe('result');
});

test('calls during a run wait and then run together, in order', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns();
  const first = call('a');
  await settled();
  const others = [call('c'), call('b'), call('b')];
  await settled();
  expect(itemsOfRuns()).toEqual([['a']]);
  runs[0]?.succeed();
  await first;
  await settled();
  expect(itemsOfRuns()).toEqual([['a'], ['c', 'b', 'b']]);
  runs[1]?.succeed('shared');
  expect(await Promise.all(others)).toEqual(['shared', 'shared', 'shared']);
});

test('simultaneous calls run together', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns();
  const both = [call('a'), call('b')];
  await settled();
  expect(itemsOfRuns()).toEqual([['a', 'b']]);
  runs[0]?.succeed();
  await Promise.all(both);
});

test('runs keep to their limits on items and concurrency', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns({ maxItems: 2, maxUnderWay: 2 });
  const calls = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(call);
  await settled();
  expect(itemsOfRuns()).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  runs[1]?.succeed();
  await settled();
  expect(itemsOfRuns().slice(2)).toEqual([['e', 'f']]);
  runs[0]?.succeed();
  await settled();
  expect(itemsOfRuns().slice(3)).toEqual([['g']]);
  for (const { succeed } of runs) succeed();
  await Promise.all(calls);
});

test("an item waits for its key's run, and others overtake it", async () => {
  const { runs, call, itemsOfRuns } = controlledRuns({ readKey: ([key = '']) => key, maxUnderWay: 3 });
  const calls = [call('a1')];
  await settled();
  calls.push(call('a2'), call('b1'), call('a3'));
  await settled();
  expect(itemsOfRuns()).toEqual([['a1'], ['b1']]);
  runs[1]?.succeed();
  await settled();
  expect(itemsOfRuns()).toHaveLength(2);
  runs[0]?.fail(new Error('broken'));
  await expect(calls[0]).rejects.toThrow('broken');
  await settled();
  expect(itemsOfRuns().slice(2)).toEqual([['a2', 'a3']]);
  runs[2]?.succeed();
  await Promise.all(calls.slice(1));
});

test('another run starts with enough items or when one ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { runs, call, itemsOfRuns } = controlledRuns({ maxUnderWay: 3, minItems: 2, maxLingerMs: 5 });
  const calls = [call('a')];
  await settled();
  calls.push(call('b'));
  await settled();
  expect(itemsOfRuns()).toEqual([['a']]);
  calls.push(call('c'), call('d'));
  await settled();
  expect(itemsOfRuns()).toEqual([['a'], ['b', 'c', 'd']]);
  calls.push(call('e'));
  runs[0]?.succeed();
  await settled();
  expect(itemsOfRuns()).toHaveLength(2);
  runs[1]?.succeed();
  await settled();
  expect(itemsOfRuns().slice(2)).toEqual([['e']]);
  runs[2]?.succeed();
  await Promise.all(calls);
});

test('another run starts when its first item has lingered enough', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { runs, call, itemsOfRuns } = controlledRuns({ maxUnderWay: 3, minItems: 9, maxLingerMs: 5 });
  const calls = [call('a')];
  await settled();
  calls.push(call('b'));
  await settled();
  vi.advanceTimersByTime(4);
  calls.push(call('c'));
  await settled();
  expect(itemsOfRuns()).toEqual([['a']]);
  vi.advanceTimersByTime(1);
  expect(itemsOfRuns()).toEqual([['a'], ['b', 'c']]);
  calls.push(call('d'));
  await settled();
  vi.advanceTimersByTime(4);
  expect(itemsOfRuns()).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(itemsOfRuns().slice(2)).toEqual([['d']]);
  for (const { succeed } of runs) succeed();
  await Promise.all(calls);
});

test('a caller waits only for the run of its own item', async () => {
  const { runs, call } = controlledRuns();
  const done: string[] = [];
  void call('a').then(() => done.push('a'));
  await settled();
  void call('b').then(() => done.push('b'));
  runs[0]?.succeed();
  await settled();
  expect(done).toEqual(['a']);
  runs[1]?.succeed();
  await settled();
  expect(done).toEqual(['a', 'b']);
});

test('a failed run fails only its callers, and the next runs', async () => {
  const { runs, call } = controlledRuns();
  const failing = expect(call('a')).rejects.toThrow('lost');
  await settled();
  const next = call('b');
  runs[0]?.fail(new Error('lost'));
  await failing;
  await settled();
  runs[1]?.succeed();
  await next;
  expect(runs[1]?.items).toEqual(['b']);
});

test('an item that waits too long is refused; later items run', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const { runs, call, itemsOfRuns } = controlledRuns({ maxWaitMs: 1000 });
  const first = call('a');
  await settled();
  const late = call('b').catch((error: unknown) => error);
  nowMs = 1;
  const next = call('c');
  nowMs = 1001;
  runs[0]?.succeed();
  await first;
  const refusal = await late;
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal).toMatchObject({ code: 'overloaded', extras: { retryAfterSeconds: 2 } });
  expect(itemsOfRuns()).toEqual([['a'], ['c']]);
  runs[1]?.succeed();
  await next;
});
