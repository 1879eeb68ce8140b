import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Page rules and components against a simulated shop. */
export default defineConfig({
  test: {
    name: 'web',
    include: ['app/**/*.test.{ts,tsx}'],
    // Role queries are four times as fast as in jsdom, and modal dialogs work.
    environment: 'happy-dom',
    // A failed query prints the page.
    env: { DEBUG_PRINT_LIMIT: '3000' },
    // The contract keeps no state. Reloading its schemas for each page took a twelfth of a run.
    server: { deps: { external: [/\/contract\/src\//] } },
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    // Each opened page reloads its modules.
    isolate: false,
    // ../vitest.config.ts sets the same arguments.
    execArgv: [
      `--import=${new URL('../api/test/load-faster.ts', import.meta.url)}`,
      '--min-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // Equal to the other projects': only then do files run side by side.
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
  },
});
