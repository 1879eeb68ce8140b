import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import stories from '../../../playwright.config.ts';
import { themes } from '../accessibility.ts';
import type { ScreenOptions } from './screen.ts';

// Takes pictures of every screen on the stories' shop, for `npm run screenshots`.
export default defineConfig<ScreenOptions>({
  ...stories,
  testDir: '.',
  testMatch: '*.screens.ts',
  outputDir: '../../../test-results/screens',
  timeout: 90_000,
  // `desktop.light`, `desktop.dark`, `phone.light`, `phone.dark`
  projects: themes.flatMap((theme) =>
    (stories.projects ?? []).map((project) => ({
      ...project,
      name: `${project.name}.${theme}`,
      use: { ...project.use, theme },
    })),
  ),
  // Commands of the server run in the project's folder.
  webServer: { ...stories.webServer, cwd: fileURLToPath(new URL('../../..', import.meta.url)) } as never,
});
