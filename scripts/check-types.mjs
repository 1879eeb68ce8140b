import { inProject } from './project.mjs';
import { runTool } from './run-tool.mjs';

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

/** @returns the name and exit status of each check; the first one makes the types of the routes, which `web` needs */
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
