import { afterEach, expect, test, vi } from 'vitest';
import { createLocalCounts } from './local-counts.ts';
import { createLocalCount } from './shared-rates.ts';

afterEach(() => void vi.useRealTimers());

test('a window ends in its time when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const count = createLocalCount('address');
  expect(count('192.0.2.1', 60_000)).toEqual({ current: 1, ttl: 60_000 });
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(59_000);
  expect(count('192.0.2.1', 60_000)).toEqual({ current: 2, ttl: 1_000 });
  vi.advanceTimersByTime(1_000);
  expect(count('192.0.2.1', 60_000)).toEqual({ current: 1, ttl: 60_000 });
});

test('only counts of open windows are sent to other processes', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const counts = createLocalCounts('reads');
  const { key } = counts.add('192.0.2.1', 60_000);
  expect(createLocalCounts('writes').add('192.0.2.1', 60_000).key).not.toEqual(key);
  expect(counts.listUntold(1)).toHaveLength(1);
  expect(counts.listUntold(2)).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(counts.listUntold(1)).toEqual([]);
});
