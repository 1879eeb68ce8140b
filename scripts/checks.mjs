import { inProject } from './project.mjs';
import { runFile, runTool } from './run-tool.mjs';

/** Everything with a `tsconfig.json` of its own: a new workspace is added here and nowhere else. */
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
 * Format and lint, imports, regular expressions.
 * @param args of Biome: `--write` repairs, paths narrow its part down
 * @returns the name and exit status of each check
 */
export async function checkLint(args = [], options = {}) {
  const biome = ['check', '--error-on-warnings', ...args];
  return [
    { name: 'format and lint', status: await runTool('@biomejs/biome', 'bin/biome', biome, options) },
    { name: 'imports', status: await runFile('scripts/check-imports.mjs', [], options) },
    { name: 'regular expressions', status: await runFile('scripts/check-expressions.mjs', [], options) },
  ];
}

/** @returns as `checkLint`; the first check makes the types of the routes, which `web` needs */
export async function checkTypes(options = {}) {
  const web = inProject('web');
  const generated = await runTool('@react-router/dev', 'bin.cjs', ['typegen'], { ...options, cwd: web });
  const checks = [{ name: 'types of the routes', status: generated }];
  for (const project of projects) {
    // What was checked is remembered: the next check looks at what has changed since, in a quarter of the time.
    const memory = inProject('.cache', 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
    const args = ['-p', project, '--incremental', '--tsBuildInfoFile', memory];
    const status = await runTool('typescript', 'bin/tsc', args, options);
    checks.push({ name: `types of ${project}`, status });
  }
  return checks;
}
