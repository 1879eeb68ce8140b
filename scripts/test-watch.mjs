import { runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run test:watch`: unit and API tests, again after each change. What follows the command is handed on, such as
// `-- api/src/orders` or `-- --run orders -t 'above the stock'`.
await asCommand(async () => {
  await setUp({ tools: true });
  return runTool('vitest', 'vitest.mjs', ['watch', ...process.argv.slice(2)], { stdin: 'inherit' });
});
