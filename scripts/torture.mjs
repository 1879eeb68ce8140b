import { runFile } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run torture -- <minutes>`: a shop at work that is killed, stopped, starved and flooded; see `tests/torture/README.md`.
await asCommand(async () => {
  await setUp({ tools: true });
  return runFile('tests/torture/run.ts', process.argv.slice(2));
});
