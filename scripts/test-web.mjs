import { runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run test:web`: the page's rules and components, in seconds and without a database. What follows the command is
// handed on, such as `-- web/app/orders`.
await asCommand(async () => {
  await setUp({ build: false, tools: true });
  return runTool('vitest', 'vitest.mjs', ['run', '--project', 'web', ...process.argv.slice(2)]);
});
