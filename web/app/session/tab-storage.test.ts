import { afterEach, expect, test, vi } from 'vitest';
import { clearTab, readFromTab, storeInTab } from './tab-storage.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('signing out clears input and nothing else', () => {
  sessionStorage.setItem('other', 'stays');
  storeInTab('review', { rating: 5 });
  expect(readFromTab('review')).toEqual({ rating: 5 });
  clearTab();
  expect(Object.keys(sessionStorage)).toEqual(['other']);
});

test('full or forbidden storage breaks nothing', () => {
  const refuse = () => {
    throw new DOMException('no', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', new Proxy({}, { get: refuse, ownKeys: refuse }));
  storeInTab('review', { rating: 5 });
  storeInTab('review', null);
  clearTab();
  expect(readFromTab('review')).toBeNull();
});
