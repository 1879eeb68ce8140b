import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first, so that no worker is left with a long file at the end. */
const order = ['endings', 'attacks', 'slow', 'processes', 'embedded-postgres', 'calls', 'units', 'web'];

/**
 * Whole processes of the shop: start, orderly end, `kill -9`, two workers, backup and restore, moves of data
 * or pictures, waiting mails. Each rule once.
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

/** More copies and kills of whole shops; takes minutes. */
const endings = [
  'api/src/process/backup-refusals.test.ts',
  'api/src/process/killed-processes.test.ts',
  'api/src/process/leaving.test.ts',
];

/**
 * Floods, hostile requests, large uploads, and hanging providers or databases: a minute of processor time.
 * `npm run verify` leaves them out; `npm test` runs a part (`api/test/full-size.ts`).
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
          // Rules and parts alone, without a database.
          name: 'units',
          include: [
            'contract/src/**/*.test.ts',
            'api/**/*.test.ts',
            'packages/card-sandbox/**/*.test.ts',
            'scripts/*.test.mjs',
          ],
          exclude: ['**/*.{api,slow}.test.ts', ...processes, ...endings],
          // Loading Zod, Fastify and the contract for each file took three times as long as the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // Calls through the whole shop, on one throw-away PostgreSQL for the run.
          name: 'calls',
          include: ['api/**/*.api.test.ts', 'packages/card-sandbox/**/*.api.test.ts'],
          exclude: attacks,
          globalSetup: ['api/test/throw-away-postgres.ts'],
          // Files share the worker's modules, which load longer than most files run. Each file starts its own
          // shop and database.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // Slow by name: stand-ins of services (Google, Firebase, Stripe, S3, mail), pictures and PDFs, a
          // second PostgreSQL or process, copies and whole reads of a shop, repeated races, long streams and
          // slow readers.
          // Also every file that takes over four seconds on an idle machine.
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
      // A larger initial heap saves garbage collections, a tenth of a run's processor time. A worker then
      // takes 600 MB.
      '--min-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // One more than cores, as half of the time tests wait for PostgreSQL.
    maxWorkers: availableParallelism() + 1,
    // Generous: a busy machine must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 20_000,
    // Well below the 30 seconds after which caches refresh anyway.
    expect: { poll: { timeout: 10_000 } },
  },
});
