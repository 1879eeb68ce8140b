import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Tests of the page: its rules and its components, against a shop that the test plays. They need no database and no
 * browser, so that whoever changes the page knows within seconds.
 */
export default defineConfig({
  test: {
    name: 'web',
    include: ['app/**/*.test.{ts,tsx}'],
    // Faster than jsdom (measured: role queries four times), and it knows modal dialogs.
    environment: 'happy-dom',
    // A failed look-up prints the page; its beginning is enough.
    env: { DEBUG_PRINT_LIMIT: '3000' },
    // The contract keeps nothing of a page before: anew are the page's own modules alone, and making the contract's schemas
    // for each page took a twelfth of a run.
    server: { deps: { external: [/\/contract\/src\//] } },
    setupFiles: ['test/setup.ts'],
    testTimeout: 120_000,
    // Each page that a test opens loads its modules anew, so files can share a worker.
    isolate: false,
    // As in ../vitest.config.ts, for its reasons.
    execArgv: [
      `--import=${new URL('../api/test/load-faster.ts', import.meta.url)}`,
      '--min-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // As many as the other projects have: only then may their files and these run side by side.
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
  },
});
