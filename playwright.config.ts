import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { defineConfig, type Project } from '@playwright/test';

// Workers, which read this file again, inherit it.
process.env.E2E_PORT ??= String(await freePort());
process.env.ADMIN_EMAIL ??= 'admin@parts-forge.example';
process.env.ADMIN_PASSWORD ??= 'the first administrator';
const { E2E_PORT, ADMIN_EMAIL, ADMIN_PASSWORD, STORIES } = process.env;
// `npm test` skips @full, and runs only the phone's own stories on the phone. `npm run test:all` also runs
// all in the dark theme.
const isEveryday = STORIES === 'everyday';
const baseURL = `http://localhost:${E2E_PORT}`;
const executablePath =
  process.env.CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

const devices: Project[] = [
  {
    name: 'desktop',
    grepInvert: isEveryday ? /@only-phone|@full/ : /@only-phone/,
    use: { browserName: 'chromium', viewport: { width: 1440, height: 900 } },
  },
  {
    name: 'phone',
    ...(isEveryday && { grep: /@phone|@only-phone/, grepInvert: /@full/ }),
    use: { browserName: 'chromium', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
];

const toDark = (device: Project): Project => ({
  ...device,
  name: `${device.name}-dark`,
  use: {
    ...device.use,
    storageState: {
      cookies: [],
      origins: [{ origin: baseURL, localStorage: [{ name: 'theme', value: 'dark' }] }],
    },
  },
});

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  fullyParallel: true,
  // A browser and the shop under test use a thread each.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  use: {
    baseURL,
    screenshot: 'only-on-failure',
    reducedMotion: 'reduce',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Chromium's sandbox does not run as root.
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
  },
  projects: STORIES === 'all' ? [...devices, ...devices.map(toDark)] : devices,
  webServer: {
    command: `"${process.execPath}" scripts/throw-away-shop.mjs`,
    url: `${baseURL}/readyz`,
    timeout: 60_000,
    stdout: 'pipe',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: String(E2E_PORT),
      SELLER_TAX_RATE: '20',
      ADMIN_EMAIL: String(ADMIN_EMAIL),
      ADMIN_PASSWORD: String(ADMIN_PASSWORD),
      RATE_LIMITS: 'off',
      SANDBOX_CONTROL: '1',
      // A receiver that refuses every connection.
      WEBHOOK_HOSTS: 'localhost:1',
    },
  },
});
