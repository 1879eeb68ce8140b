import { type Browser, chromium } from '@playwright/test';
import { closing } from './closing.ts';

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const { CHROMIUM } = process.env;
  // Chromium's sandbox does not run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ args, ...(CHROMIUM && { executablePath: CHROMIUM }) });
  const close = closing(() => browser.close());
  try {
    return await work(browser);
  } finally {
    await close();
  }
}
