import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { defineConfig } from '@playwright/test';
import { PROJECT } from './project.ts';

// Workers, which read this file again, inherit it.
process.env.HOSTED_PORT ??= String(await freePort());
process.env.CONTROL_PORT ??= String(await freePort());
process.env.SECURE_PORT ??= String(await freePort());
const { HOSTED_PORT, SECURE_PORT, CONTROL_PORT, CHROMIUM, NODE_26 } = process.env;

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
    baseURL: `https://${PROJECT.authDomain}`,
    // The certificate is for loopback addresses.
    ignoreHTTPSErrors: true,
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
      // Chromium's sandbox does not run as root.
      args: [
        '--disable-gpu',
        `--host-resolver-rules=MAP ${PROJECT.authDomain} 127.0.0.1:${SECURE_PORT}`,
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    },
  },
  webServer: {
    command: `"${NODE_26 ?? process.execPath}" tests/hosted/shop-on-emulator.ts`,
    cwd: '../..',
    url: `http://localhost:${HOSTED_PORT}/readyz`,
    timeout: 120_000,
    stdout: 'pipe',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: String(HOSTED_PORT),
      SECURE_PORT: String(SECURE_PORT),
      CONTROL_PORT: String(CONTROL_PORT),
      NODE_ENV: 'test',
    },
  },
});
