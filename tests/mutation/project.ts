import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A path within the project. */
export const inProject = (...parts: string[]): string => join(root, ...parts);

/** Temporary files of a run. */
export const scratch = inProject('.cache', 'mutation');
