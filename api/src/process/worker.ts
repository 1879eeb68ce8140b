import { resolveSooner } from './resolve-sooner.ts';
import { abandonment, termination } from './termination.ts';

resolveSooner();
// One of several processes on one port, started by `supervise-workers.ts`.
const { runWorker } = await import('./run-worker.ts');
process.exit(await runWorker(process.env, { termination, abandonment }));
