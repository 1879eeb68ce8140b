import { expect } from '@playwright/test';
import { test as recordedTest } from './recorded-test.ts';

/** A story whose page must log no error and throw nothing uncaught. */
export const test = recordedTest.extend<{ silentConsole: undefined }>({
  silentConsole: [
    // Listed so that it ends after this fixture, which may fail the story.
    async ({ context, recordedConsole: _ }, use) => {
      const complaints: string[] = [];
      context.on('console', (message) => {
        // The browser itself logs every refusal and lost connection.
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
