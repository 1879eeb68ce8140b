import { expect, test } from 'vitest';
import { batchCalls } from './batch-calls.ts';

/** Runs that end when they are told to. */
function controlledRuns() {
  const runs: { items: string[]; succeed(): void; fail(error: Error): void }[] = [];
  const call = batchCalls((items: ReadonlySet<string>) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    runs.push({ items: [...items], succeed: resolve, fail: reject });
    return promise;
  });
  return { runs, call, itemsOfRuns: () => runs.map(({ items }) => items) };
}

/** Until everything that can go on has gone on. */
const settled = () => new Promise(setImmediate);

test('what comes while a run is at work waits and runs together, once, each item once', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns();
  const first = call(['a']);
  await settled();
  const others = [call(['b']), call(['c', 'b'])];
  await settled();
  expect(itemsOfRuns()).toEqual([['a']]);
  runs[0]?.succeed();
  await first;
  await settled();
  expect(itemsOfRuns()).toEqual([['a'], ['b', 'c']]);
  runs[1]?.succeed();
  await Promise.all(others);
});

test('what comes at one moment runs together', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns();
  const both = [call(['a']), call(['b'])];
  await settled();
  expect(itemsOfRuns()).toEqual([['a', 'b']]);
  runs[0]?.succeed();
  await Promise.all(both);
});

test('a caller waits for the run that has its items, and for no other', async () => {
  const { runs, call } = controlledRuns();
  const done: string[] = [];
  void call(['a']).then(() => done.push('a'));
  await settled();
  void call(['b']).then(() => done.push('b'));
  runs[0]?.succeed();
  await settled();
  expect(done).toEqual(['a']);
  runs[1]?.succeed();
  await settled();
  expect(done).toEqual(['a', 'b']);
});

test('a failed run fails for its callers alone, and the next one runs', async () => {
  const { runs, call } = controlledRuns();
  const failing = expect(call(['a'])).rejects.toThrow('lost');
  await settled();
  const next = call(['b']);
  runs[0]?.fail(new Error('lost'));
  await failing;
  await settled();
  runs[1]?.succeed();
  await next;
  expect(runs[1]?.items).toEqual(['b']);
});

test('after a run has ended a new one begins', async () => {
  const { runs, call, itemsOfRuns } = controlledRuns();
  for (const [index, item] of ['a', 'b'].entries()) {
    const done = call([item]);
    await settled();
    runs[index]?.succeed();
    await done;
  }
  expect(itemsOfRuns()).toEqual([['a'], ['b']]);
});
