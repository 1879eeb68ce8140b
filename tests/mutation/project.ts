import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The path of a file of the project. */
export const inProject = (...parts: string[]): string => join(root, ...parts);

/** Everything that a run makes and throws away. */
export const scratch = inProject('.cache', 'mutation');
