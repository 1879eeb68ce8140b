import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import stories from '../../../playwright.config.ts';
import { themes } from '../accessibility.ts';
import type { ScreenOptions } from './screen.ts';

// Pictures of every screen, for `npm run screenshots`: the stories' shop, looked at instead of tried.
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
  // The shop's own scripts are called from the project's folder.
  webServer: { ...stories.webServer, cwd: fileURLToPath(new URL('../../..', import.meta.url)) } as never,
});
