import { test as base, expect } from '@playwright/test';

/** A story in which the page must not complain: no error in its console, nothing thrown and not caught. */
export const test = base.extend<{ silentConsole: undefined }>({
  silentConsole: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      context.on('console', (message) => {
        // The browser itself reports every answer that is a refusal, and every lost connection.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
          complaints.push(message.text());
        }
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});
