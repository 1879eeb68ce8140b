import { runFile } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run cluster`: two shops behind a balancer, on a database with a standby; see `tests/cluster/README.md`.
await asCommand(async () => {
  await setUp({ tools: true });
  return runFile('tests/cluster/run.ts', process.argv.slice(2));
});
