import { ending } from './ending.ts';

// Loaded only now, because loading takes a second in which the launcher may already be gone.
const { runShop } = await import('./start.ts');
process.exit(await runShop(process.env, ending));
