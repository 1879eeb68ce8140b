import { browser } from './browser.mjs';
import { runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run test:stories`: the stories in the browser alone. What follows the command is handed on, such as
// `-- tests/browser/order.spec.ts --project phone`.
await asCommand(async () => {
  await setUp({ tools: true });
  const env = { CHROMIUM: await browser() };
  return runTool('@playwright/test', 'cli.js', ['test', ...process.argv.slice(2)], { env });
});
