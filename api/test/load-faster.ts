import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { resolveSooner } from '#src/process/resolve-sooner.ts';

// Loaded by Node itself before a worker's first test (vitest.config.ts): what makes a start of the shop short makes that
// of each worker short, too (docs/decisions/0077).
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)));
resolveSooner();
