import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import stories from '../../playwright.config.ts';

// Pictures of every screen, for `npm run screenshots`: the stories' shop, looked at instead of tried.
export default defineConfig({
  ...stories,
  testDir: '.',
  testMatch: 'screens.ts',
  outputDir: '../../test-results/screens',
  timeout: 240_000,
  // The shop's own scripts are called from the project's folder.
  webServer: { ...stories.webServer, cwd: fileURLToPath(new URL('../..', import.meta.url)) } as never,
});
