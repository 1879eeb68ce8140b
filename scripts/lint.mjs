import { runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run lint`: format and lint without writing anything; `npm run format` (`--write`) mends what it can. Paths
// behind the command narrow it down.
await asCommand(async () => {
  await setUp({ build: false });
  return runTool('@biomejs/biome', 'bin/biome', ['check', '--error-on-warnings', ...process.argv.slice(2)]);
});
