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
  'e2e',
];

/** @returns the exit status of each check; the first one makes the types of the routes, which `web` needs */
export async function checkTypes(options = {}) {
  const web = inProject('web');
  const statuses = [await runTool('@react-router/dev', 'bin.cjs', ['typegen'], { ...options, cwd: web })];
  for (const project of projects) {
    statuses.push(await runTool('typescript', 'bin/tsc', ['-p', project], options));
  }
  return statuses;
}
