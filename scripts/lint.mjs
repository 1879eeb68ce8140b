import { runFile, runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';

// `npm run lint`: format, lint, imports and regular expressions without writing anything; `npm run format` (`--write`) mends what it can.
// Paths behind the command narrow format and lint down; an import is right or wrong among all of them only, and expressions are checked whole.
await asCommand(async () => {
  await setUp({ build: false, tools: true });
  const statuses = [
    await runTool('@biomejs/biome', 'bin/biome', ['check', '--error-on-warnings', ...process.argv.slice(2)]),
    await runFile('scripts/check-imports.mjs', []),
    await runFile('scripts/check-expressions.mjs', []),
  ];
  return Math.max(...statuses);
});
