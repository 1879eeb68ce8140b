import { resolveSooner } from './resolve-sooner.ts';
import { abandonment, termination } from './termination.ts';

resolveSooner();
// Loading takes a second, in which the launcher may end.
const { runShop } = await import('./run-shop.ts');
process.exit(await runShop(process.env, process.argv.slice(2), { termination, abandonment }));
