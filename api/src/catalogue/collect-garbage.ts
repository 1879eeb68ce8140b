import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** V8 would let the garbage of several files grow to 250 MB. Pauses the process for a twentieth of a second. */
export const collectGarbage: () => void = runInNewContext('gc');
