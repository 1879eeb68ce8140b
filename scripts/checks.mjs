import { inProject } from './project.mjs';
import { runFile, runTool } from './run-tool.mjs';

const projects = [
  'contract',
  'packages/embedded-postgres',
  'packages/card-sandbox',
  'packages/card-sandbox/src/browser',
  'api',
  'web',
  'tests/browser',
];

/** @param args for Biome */
export async function checkLint(args = [], options = {}) {
  const biome = ['check', '--error-on-warnings', ...args];
  return [
    { name: 'format and lint', status: await runTool('@biomejs/biome', 'bin/biome', biome, options) },
    { name: 'imports', status: await runFile('scripts/check-imports.mjs', [], options) },
    {
      name: 'regular expressions and shape',
      status: await runFile('scripts/check-expressions.mjs', [], options),
    },
    { name: 'words', status: await runFile('scripts/check-words.mjs', [], options) },
  ];
}

/** The first check generates the route types for `web`. */
export async function checkTypes(options = {}) {
  const web = inProject('web');
  const generated = await runTool('@react-router/dev', 'bin.cjs', ['typegen'], { ...options, cwd: web });
  const checks = [{ name: 'types of the routes', status: generated }];
  for (const project of projects) {
    // Makes the next check four times as fast.
    const memory = inProject('.cache', 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
    const args = ['-p', project, '--incremental', '--tsBuildInfoFile', memory];
    const status = await runTool('typescript', 'bin/tsc', args, options);
    checks.push({ name: `types of ${project}`, status });
  }
  return checks;
}
