import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { expect } from '@playwright/test';
import { startMailServer, type TestMailServer } from '../../api/test/mail-server.ts';
import { startOwnShop } from './own-shop.ts';
import { test as silentTest } from './silent-test.ts';

export interface MailShop {
  origin: string;
  server: TestMailServer;
}

/** A separate shop with a real local SMTP server. */
export const test = silentTest.extend<object, { mailShop: MailShop }>({
  mailShop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
    async ({}, use) => {
      const [port, server] = [await freePort(), await startMailServer()];
      const origin = `http://localhost:${port}`;
      const stopShop = startOwnShop(port, { SEED: 'none', ...server.env });
      const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => null))?.ok;
      await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
      await use({ origin, server });
      await stopShop();
      await server.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ mailShop }, use) => use(mailShop.origin),
});
