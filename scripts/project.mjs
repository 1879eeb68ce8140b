import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, wherever it was cloned to and wherever a command is called from. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @returns the path of a file within the project */
export const inProject = (...parts) => join(root, ...parts);

/** Resolves what the root has installed. Throws when it is not there. */
export const requireFromRoot = createRequire(join(root, 'package.json'));
