import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What waits longest comes first, so that no worker is left with a long file when the others have ended. */
const order = ['endings', 'processes', 'embedded-postgres', 'calls', 'web', 'units'];

/** They start, copy and kill whole shops again and again, for minutes; `npm run verify` leaves them to `npm test`. */
const endings = [
  'api/src/process/termination.test.ts',
  'api/src/process/backup.test.ts',
  'api/src/process/move-to-postgres.test.ts',
  'torture/torture.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => order.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    projects: [
      'web',
      {
        extends: true,
        test: {
          // Rules and parts by themselves: they wait for no database.
          name: 'units',
          include: ['contract/src/**/*.test.ts', 'api/**/*.test.ts', 'packages/card-sandbox/**/*.test.ts'],
          exclude: ['**/*.api.test.ts', 'api/src/process/**'],
          // Loading Zod, Fastify and the contract anew for each file took three times as long as the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // The calls, through the whole shop, on one throw-away PostgreSQL for the run.
          name: 'calls',
          include: ['api/**/*.api.test.ts', 'packages/card-sandbox/**/*.api.test.ts'],
          globalSetup: ['api/test/throw-away-postgres.ts'],
          // The files of one worker share the shop's modules, which take longer to load than most files to run. Each
          // file starts a shop of its own, with a database of its own.
          isolate: false,
        },
      },
      // These start by themselves what they need: processes of the shop, and the PostgreSQL that comes along.
      {
        extends: true,
        test: { name: 'processes', include: ['api/src/process/**/*.test.ts'], exclude: endings },
      },
      { extends: true, test: { name: 'endings', include: endings } },
      {
        extends: true,
        test: { name: 'embedded-postgres', include: ['packages/embedded-postgres/**/*.test.ts'] },
      },
    ],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
    // Generous: a busy machine must not decide whether the shop is right.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
  },
});
