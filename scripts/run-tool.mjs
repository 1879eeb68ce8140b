import { dirname, join } from 'node:path';
import { ended, startChild } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { inProject, requireFromRoot, root } from './project.mjs';

/**
 * @param name its package
 * @param program path within the package
 * @param options `held`: show the output at the end
 */
export function runTool(name, program, args, options) {
  return runUnderNode26(
    join(dirname(requireFromRoot.resolve(`${name}/package.json`)), program),
    args,
    options,
  );
}

/**
 * Runs TypeScript, or a script whose packages need Node 26.
 * @param path from the project's folder
 */
export function runFile(path, args, options) {
  return runUnderNode26(inProject(path), args, options);
}

function runUnderNode26(script, args, { cwd = root, env = {}, held = false } = {}) {
  const output = held ? 'pipe' : 'inherit';
  const child = startChild(node26(), [script, ...args], {
    cwd,
    stdio: [held ? 'ignore' : 'inherit', output, output],
    env: { ...withNode26OnPath(), ...env },
  });
  if (held) showWhenEnded(child);
  return ended(child);
}

/** Concurrent checks show their output in one piece each. */
function showWhenEnded(child) {
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
  child.once('close', () => process.stdout.write(Buffer.concat(said)));
}
