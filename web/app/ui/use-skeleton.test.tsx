import { act, render, renderHook } from '@testing-library/react';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSkeleton } from './use-skeleton.ts';

const patience = { timeout: 30_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
});

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a skeleton appears after 150 ms, not before', async () => {
  const { result } = renderHook(() => useSkeleton(true));
  await advance(149);
  expect(result.current).toBe(false);
  await advance(1);
  expect(result.current).toBe(true);
});

test('content that arrives within 150 ms never has a skeleton', async () => {
  const { result, rerender } = renderHook(useSkeleton, { initialProps: true });
  await advance(100);
  rerender(false);
  await advance(1000);
  expect(result.current).toBe(false);
});

test('a skeleton stays for at least 300 ms', async () => {
  const { result, rerender } = renderHook(useSkeleton, { initialProps: true });
  await advance(150);
  rerender(false);
  await advance(299);
  expect(result.current).toBe(true);
  await advance(1);
  expect(result.current).toBe(false);
});

test('a skeleton older than 300 ms disappears at once', async () => {
  const { result, rerender } = renderHook(useSkeleton, { initialProps: true });
  await advance(1000);
  rerender(false);
  await advance(0);
  expect(result.current).toBe(false);
});

test('content that arrives as its skeleton is due shows no skeleton', async () => {
  // As in a browser, where React decides when to paint.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  let isLoading = true;
  let notify = () => {};
  const drawn: string[] = [];
  const subscribe = (listener: () => void) => {
    notify = listener;
    return () => {};
  };
  function List() {
    const loading = useSyncExternalStore(subscribe, () => isLoading);
    drawn.push(useSkeleton(loading) ? 'skeleton' : loading ? 'nothing' : 'list');
    return null;
  }
  render(<List />);
  await vi.waitFor(() => expect(drawn).toEqual(['nothing']), patience);
  vi.advanceTimersByTime(150);
  isLoading = false;
  notify();
  await vi.advanceTimersByTimeAsync(1000);
  await vi.waitFor(() => expect(drawn).toContain('list'), patience);
  expect(drawn).not.toContain('skeleton');
});
