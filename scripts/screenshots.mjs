import { browser } from './browser.mjs';
import { ended, startChild } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { inProject, requireFromRoot, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run screenshots`: every screen, desktop and phone, light and dark, into `screenshots/`. What follows the
// command is handed on, such as `-- --project phone.dark`.
await asCommand(async () => {
  await setUp();
  const chromium = await browser();
  const playwright = requireFromRoot.resolve('@playwright/test/cli');
  const config = inProject('e2e', 'screens', 'screens.config.ts');
  const run = startChild(node26(), [playwright, 'test', '--config', config, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...withNode26OnPath(), CHROMIUM: chromium },
  });
  return ended(run);
});
