import { expect } from '@playwright/test';
import { test as recordedTest } from './recorded-test.ts';

/** A story in which the page must not complain: no error in its console, nothing thrown and not caught. */
export const test = recordedTest.extend<{ silentConsole: undefined }>({
  silentConsole: [
    // Named so that it ends after this one, when a complaint has failed the story.
    async ({ context, recordedConsole: _ }, use) => {
      const complaints: string[] = [];
      context.on('console', (message) => {
        // The browser itself reports every answer that is a refusal, and every lost connection.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          complaints.push(message.text());
        }
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      await use(undefined);
      expect.soft(complaints).toEqual([]);
    },
    { auto: true },
  ],
});
