import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** A small file leaves less than a megabyte. */
const MAX_GARBAGE_BYTES = 16 * 1024 ** 2;
let keptBytes = 0;

/** V8 would let the garbage of several files grow to 250 MB. Pauses the process for a twentieth of a second. */
export function collectGarbage(): void {
  if (countBytes() - keptBytes < MAX_GARBAGE_BYTES) return;
  collect();
  keptBytes = countBytes();
}

function countBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
