import { browser } from './browser.mjs';
import { inProject } from './project.mjs';
import { runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run screenshots`: every screen, desktop and phone, light and dark, into `screenshots/`. What follows the
// command is handed on, such as `-- --project phone.dark`.
await asCommand(async () => {
  await setUp({ tools: true });
  const env = { CHROMIUM: await browser() };
  const config = inProject('tests', 'browser', 'screens', 'screens.config.ts');
  return runTool('@playwright/test', 'cli.js', ['test', '--config', config, ...process.argv.slice(2)], {
    env,
  });
});
