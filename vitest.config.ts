import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'web',
      {
        extends: true,
        test: {
          // Unit tests of the contract and API tests of the server share one run and one throw-away PostgreSQL.
          name: 'shop',
          include: ['contract/src/**/*.test.ts', 'api/**/*.test.ts', 'packages/card-sandbox/**/*.test.ts'],
          globalSetup: ['api/test/throw-away-postgres.ts'],
        },
      },
      // Its tests start the PostgreSQL that they need.
      {
        extends: true,
        test: { name: 'embedded-postgres', include: ['packages/embedded-postgres/**/*.test.ts'] },
      },
    ],
    // Two workers suit two cores; each has a database of its own.
    pool: 'forks',
    maxWorkers: 2,
    // Generous: a busy machine must not decide whether the shop is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
});
