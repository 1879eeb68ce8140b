import { locks } from 'node:worker_threads';
import '@testing-library/jest-dom/vitest';
import { configure, prettyDOM } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { closePage } from './open-page.tsx';

// A busy machine must not decide whether the page is right.
configure({ asyncUtilTimeout: 60_000, getElementError: notFound });

/**
 * A failed look-up prints the page. Whoever waits for something fails many times before it is there, so the page is
 * printed when somebody reads the error.
 */
function notFound(message: string | null, page: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  // The first line of ours that is shown is the test's.
  Error.captureStackTrace(error, notFound);
  const read = () => [message, prettyDOM(page)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get: read, configurable: true });
}

// The test environment has none; Node's are the same as a browser's.
Object.defineProperty(navigator, 'locks', { value: locks });

// It loads no pictures, and says that they are there and empty: for the page a picture that failed.
Object.defineProperty(HTMLImageElement.prototype, 'complete', { get: () => false });

// React notes where each element was made: with the hundred lines that Vitest sets, a tenth of a test's time.
Error.stackTraceLimit = 10;

let channels: BroadcastChannel[] = [];

beforeEach(() => {
  vi.spyOn(console, 'error');
  // Nothing leaves a test: one that needs the network plays the shop.
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
  // React and the browser complain there about what a person would not see.
  expect(complaints.filter(([text]) => !isOfTestEnvironment(text))).toEqual([]);
});

/** The test environment does not know the element `search` yet. */
const isOfTestEnvironment = (text: unknown) => String(text).startsWith('The tag <%s> is unrecognized');
