import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { defineConfig } from '@playwright/test';

// Workers, which read this file again, inherit it.
process.env.HOSTED_PORT ??= String(await freePort());
process.env.CONTROL_PORT ??= String(await freePort());
const { HOSTED_PORT, CONTROL_PORT, CHROMIUM, NODE_26 } = process.env;
const baseURL = `http://localhost:${HOSTED_PORT}`;

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/hosted',
  // Some stories break the emulator on purpose.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    baseURL,
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
      // Chromium's sandbox does not run as root.
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
  },
  webServer: {
    command: `"${NODE_26 ?? process.execPath}" tests/hosted/shop-on-emulator.ts`,
    cwd: '../..',
    url: `${baseURL}/readyz`,
    timeout: 120_000,
    stdout: 'pipe',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: { PORT: String(HOSTED_PORT), CONTROL_PORT: String(CONTROL_PORT), NODE_ENV: 'test' },
  },
});
