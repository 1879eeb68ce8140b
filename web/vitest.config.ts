import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Tests of page rules and components against a simulated shop, without database and browser: results within
 * seconds.
 */
export default defineConfig({
  test: {
    name: 'web',
    include: ['app/**/*.test.{ts,tsx}'],
    // Faster than jsdom (role queries: four times), and supports modal dialogs.
    environment: 'happy-dom',
    // A failed query prints the page; its beginning is enough.
    env: { DEBUG_PRINT_LIMIT: '3000' },
    // The contract keeps no state of a page, so only the page's own modules are reloaded. Reloading the
    // contract's schemas took a twelfth of a run.
    server: { deps: { external: [/\/contract\/src\//] } },
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    // Files can share a worker, as each opened page reloads its modules.
    isolate: false,
    // As in ../vitest.config.ts.
    execArgv: [
      `--import=${new URL('../api/test/load-faster.ts', import.meta.url)}`,
      '--min-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // Equal to the other projects: only then do files run side by side.
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
  },
});
