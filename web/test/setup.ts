import { locks } from 'node:worker_threads';
import '@testing-library/jest-dom/vitest';
import { configure, prettyDOM } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { closePage } from './open-page.tsx';

// A busy machine must not fail a test.
configure({ asyncUtilTimeout: 60_000, getElementError: notFound });

/**
 * A failed look-up prints the page, which waiting repeats many times. This prints it only when the error is
 * read.
 */
function notFound(message: string | null, page: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  // The first stack frame shown is the test's.
  Error.captureStackTrace(error, notFound);
  const read = () => [message, prettyDOM(page)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get: read, configurable: true });
}

// The test environment has none; Node's are the same as a browser's.
Object.defineProperty(navigator, 'locks', { value: locks });

// The test environment loads no pictures but reports them as complete and empty, like failed ones.
Object.defineProperty(HTMLImageElement.prototype, 'complete', { get: () => false });

// React records a stack for each element: Vitest's hundred lines take a tenth of a test's time.
Error.stackTraceLimit = 10;

let channels: BroadcastChannel[] = [];

beforeEach(() => {
  vi.spyOn(console, 'error');
  // No request leaves a test.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('This test plays no shop.')));
  vi.stubGlobal(
    'BroadcastChannel',
    class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        channels.push(this);
      }
    },
  );
});

afterEach(() => {
  closePage();
  for (const channel of channels) channel.close();
  channels = [];
  localStorage.clear();
  sessionStorage.clear();
  const complaints = vi.mocked(console.error).mock.calls;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  // React and the browser report problems here that a user would not see.
  expect(complaints.filter(([text]) => !isOfTestEnvironment(text))).toEqual([]);
});

/** The test environment does not know the element `search` yet. */
const isOfTestEnvironment = (text: unknown) => String(text).startsWith('The tag <%s> is unrecognized');
