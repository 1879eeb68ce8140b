import { writeFileSync } from 'node:fs';
import { type BrowserContext, test as base } from '@playwright/test';

/** A failed story writes `console.txt` beside its screenshot. */
export const test = base.extend<{ recordedConsole: undefined }>({
  recordedConsole: [
    async ({ browser }, use, testInfo) => {
      const lines: string[] = [];
      const record = (context: BrowserContext) => {
        context.on('console', (message) => {
          lines.push(`${message.type()}: ${message.text()} (${message.page()?.url()})`);
        });
        context.on('weberror', (error) => lines.push(`not caught: ${error.error().stack}`));
      };
      browser.on('context', record);
      await use(undefined);
      browser.off('context', record);
      if (testInfo.status === testInfo.expectedStatus) return;
      const path = testInfo.outputPath('console.txt');
      writeFileSync(path, `${lines.join('\n') || 'The pages wrote nothing.'}\n`);
      testInfo.attachments.push({ name: 'console', path, contentType: 'text/plain' });
    },
    { auto: true },
  ],
});
