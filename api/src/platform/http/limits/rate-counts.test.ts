import { afterEach, expect, test, vi } from 'vitest';
import { createLocalCount } from './rate-counts.ts';

afterEach(() => void vi.useRealTimers());

test('a window ends on time when the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const count = createLocalCount();
  expect(count('192.0.2.1', 60_000)).toEqual({ current: 1, ttl: 60_000 });
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(59_000);
  expect(count('192.0.2.1', 60_000)).toEqual({ current: 2, ttl: 1_000 });
  vi.advanceTimersByTime(1_000);
  expect(count('192.0.2.1', 60_000)).toEqual({ current: 1, ttl: 60_000 });
});
