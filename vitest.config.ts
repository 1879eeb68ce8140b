import { defineConfig } from 'vitest/config';

// Unit tests of the contract and API tests of the server share one run and one throw-away PostgreSQL.
export default defineConfig({
  test: {
    include: [
      'contract/src/**/*.test.ts',
      'web/app/**/*.test.ts',
      'packages/**/*.test.ts',
      'api/**/*.test.ts',
    ],
    globalSetup: ['api/test/throw-away-postgres.ts'],
    // Two workers suit two cores; each has a database of its own.
    pool: 'forks',
    maxWorkers: 2,
    // Generous: a busy machine must not decide whether the shop is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
});
