import { resolveDrizzleOnce } from './resolve-drizzle-once.ts';
import { abandonment, termination } from './termination.ts';

resolveDrizzleOnce();
// Loaded only now, because loading takes a second in which the launcher may already be gone.
const { runShop } = await import('./run-shop.ts');
process.exit(await runShop(process.env, process.argv.slice(2), { termination, abandonment }));
