import { inProject } from './project.mjs';
import { runFile, runTool } from './run-tool.mjs';

/** Every folder with a `tsconfig.json`. New workspaces are added only here. */
const projects = [
  'contract',
  'packages/embedded-postgres',
  'packages/card-sandbox',
  'packages/card-sandbox/src/browser',
  'api',
  'web',
  'tests/browser',
  'tests/hosted',
];

/**
 * Checks format, lint, imports and regular expressions.
 * @param args for Biome: `--write` fixes, paths limit its part
 * @returns name and exit status of each check
 */
export async function checkLint(args = [], options = {}) {
  const biome = ['check', '--error-on-warnings', ...args];
  return [
    { name: 'format and lint', status: await runTool('@biomejs/biome', 'bin/biome', biome, options) },
    { name: 'imports', status: await runFile('scripts/check-imports.mjs', [], options) },
    { name: 'regular expressions', status: await runFile('scripts/check-expressions.mjs', [], options) },
  ];
}

/** @returns as `checkLint`; the first check generates the route types that `web` needs */
export async function checkTypes(options = {}) {
  const web = inProject('web');
  const generated = await runTool('@react-router/dev', 'bin.cjs', ['typegen'], { ...options, cwd: web });
  const checks = [{ name: 'types of the routes', status: generated }];
  for (const project of projects) {
    // The incremental cache makes the next check four times as fast.
    const memory = inProject('.cache', 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
    const args = ['-p', project, '--incremental', '--tsBuildInfoFile', memory];
    const status = await runTool('typescript', 'bin/tsc', args, options);
    checks.push({ name: `types of ${project}`, status });
  }
  return checks;
}
