import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first, so that no worker has a long file at the end. */
const order = ['endings', 'attacks', 'slow', 'processes', 'embedded-postgres', 'calls', 'units', 'web'];

/**
 * Whole processes: start, end, `kill -9`, two workers, backup and restore, moves of data or pictures, waiting
 * mails.
 */
const processes = [
  'api/src/process/backup.test.ts',
  'api/src/process/connect-database.test.ts',
  'api/src/process/create-admin.test.ts',
  'api/src/process/doctor-tls.test.ts',
  'api/src/process/first-start.test.ts',
  'api/src/process/mail-after-kill.test.ts',
  'api/src/process/move-pictures.test.ts',
  'api/src/process/move-to-postgres.test.ts',
  'api/src/process/resolve-sooner.test.ts',
  'api/src/process/run-shop.test.ts',
  'api/src/process/termination.test.ts',
  'api/src/process/workers.test.ts',
];

/** More of these; takes minutes. */
const endings = [
  'api/src/process/backup-refusals.test.ts',
  'api/src/process/killed-processes.test.ts',
  'api/src/process/leaving.test.ts',
];

/**
 * A minute of processor time, so `npm run verify` leaves them out. `npm test` reduces them
 * (`api/test/full-size.ts`).
 */
const attacks = [
  'api/src/hostile-input.api.test.ts',
  'api/src/images/large-uploads.api.test.ts',
  'api/src/long-texts.api.test.ts',
  'api/src/payments/storm.api.test.ts',
  'api/src/payments/provider/stripe-emulator.api.test.ts',
  'api/src/platform/database/outage.api.test.ts',
  'api/src/platform/http/calls/forged-cursors.api.test.ts',
  'api/src/platform/http/limits/load-from-one-address.api.test.ts',
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
          // No database.
          name: 'units',
          include: [
            'contract/src/**/*.test.ts',
            'api/**/*.test.ts',
            'packages/card-sandbox/**/*.test.ts',
            'scripts/*.test.mjs',
            'tests/mutation/*.test.ts',
          ],
          exclude: ['**/*.{api,slow}.test.ts', ...processes, ...endings],
          // Loading Zod, Fastify and the contract for each file took three times as long as the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // The whole shop, on one throw-away PostgreSQL for the run.
          name: 'calls',
          include: ['api/**/*.api.test.ts', 'packages/card-sandbox/**/*.api.test.ts'],
          exclude: attacks,
          globalSetup: ['api/test/throw-away-postgres.ts'],
          // Modules load longer than most files run. Each file starts its own shop and database.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // Files with stand-ins of services, pictures and PDFs, a second PostgreSQL or process, copies or
          // whole reads of a shop, races, or long streams. Also all that take over four seconds on an idle
          // machine.
          name: 'slow',
          include: ['api/**/*.slow.test.ts'],
          globalSetup: ['api/test/throw-away-postgres.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          include: attacks,
          globalSetup: ['api/test/throw-away-postgres.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'processes', include: processes, globalSetup: ['api/test/ready-data-folder.ts'] },
      },
      {
        extends: true,
        test: { name: 'endings', include: endings, globalSetup: ['api/test/ready-data-folder.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'embedded-postgres',
          include: ['packages/embedded-postgres/**/*.test.ts'],
          globalSetup: ['packages/embedded-postgres/test/stopped-database.ts'],
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    execArgv: [
      `--import=${new URL('api/test/load-faster.ts', import.meta.url)}`,
      // Fewer garbage collections save a tenth of a run's processor time. A worker then takes 600 MB.
      '--min-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // Tests wait for PostgreSQL half of the time.
    maxWorkers: availableParallelism() + 1,
    // Generous: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 20_000,
    // Well below 30 seconds, when caches refresh anyway.
    expect: { poll: { timeout: 10_000 } },
  },
});
