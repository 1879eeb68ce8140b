import { dirname, join } from 'node:path';
import { ended, startChild } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { inProject, requireFromRoot, root } from './project.mjs';

/**
 * Runs a tool of the development packages under Node 26. It can ask nobody anything unless `stdin` is `inherit`.
 * @param name its package
 * @param program the path of its command within the package
 * @returns its exit status
 */
export function runTool(name, program, args, options) {
  return runUnderNode26(
    join(dirname(requireFromRoot.resolve(`${name}/package.json`)), program),
    args,
    options,
  );
}

/**
 * Runs a script of `scripts` under Node 26: for one whose packages ask for more than the commands themselves do.
 * @returns its exit status
 */
export function runScript(name) {
  return runUnderNode26(inProject('scripts', name), []);
}

function runUnderNode26(script, args, { cwd = root, env = {}, stdin = 'ignore' } = {}) {
  return ended(
    startChild(node26(), [script, ...args], {
      cwd,
      stdio: [stdin, 'inherit', 'inherit'],
      env: { ...withNode26OnPath(), ...env },
    }),
  );
}
