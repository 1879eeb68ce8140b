import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { resolveSooner } from '#src/process/resolve-sooner.ts';

// Loaded by Node before a worker's first test, to shorten its start.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)));
resolveSooner();

// Such as pg's warning of two statements at once on one connection: a run with it fails.
process.throwDeprecation = true;
