import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { resolveSooner } from '#src/process/resolve-sooner.ts';

// Node loads this before a worker's first test (vitest.config.ts), to shorten the worker's start as in the
// shop (docs/decisions/0077).
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)));
resolveSooner();
