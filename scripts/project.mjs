import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, independent of the working directory. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @returns a path within the project */
export const inProject = (...parts) => join(root, ...parts);

/** Resolves packages of the root; throws when one is missing. */
export const requireFromRoot = createRequire(join(root, 'package.json'));
