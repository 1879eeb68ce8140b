import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const inProject = (...parts) => join(root, ...parts);

/** @throws when a package is missing */
export const requireFromRoot = createRequire(join(root, 'package.json'));
