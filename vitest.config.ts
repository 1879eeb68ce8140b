import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What waits longest comes first, so that no worker is left with a long file when the others have ended. */
const order = ['endings', 'attacks', 'slow', 'processes', 'embedded-postgres', 'calls', 'units', 'web'];

/**
 * Whole processes of the shop, each rule once from end to end: start, orderly end, `kill -9`, two workers, and everything
 * that keeps data: backup and restore, a move of the shop or its pictures, a mail that waits.
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

/** Further ways to copy and kill whole shops: minutes. */
const endings = [
  'api/src/process/backup-refusals.test.ts',
  'api/src/process/killed-processes.test.ts',
  'api/src/process/leaving.test.ts',
];

/**
 * Floods, hostile requests, large uploads, and a provider or a database that does not answer: a minute of processor time,
 * so `npm run verify` leaves them to `npm test`, which has a part of them (`api/test/full-size.ts`).
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
          // Rules and parts by themselves: they wait for no database.
          name: 'units',
          include: [
            'contract/src/**/*.test.ts',
            'api/**/*.test.ts',
            'packages/card-sandbox/**/*.test.ts',
            'scripts/*.test.mjs',
          ],
          exclude: ['**/*.{api,slow}.test.ts', ...processes, ...endings],
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
          exclude: attacks,
          globalSetup: ['api/test/throw-away-postgres.ts'],
          // The files of one worker share the shop's modules, which take longer to load than most files to run. Each
          // file starts a shop of its own, with a database of its own.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // By their name what takes more than the shop and its database, or long: a stand-in of somebody else's service
          // (Google, Firebase, Stripe, S3, a mail server), pictures and PDFs that are made, a second PostgreSQL, another
          // process, a shop that is copied, filled with a demonstration or read as a whole (its books, figures and lists),
          // races that are run round after round, streams that last, readers who take their time, and whatever else takes
          // more than four seconds with the machine to itself.
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
      // A worker lives for a minute and leaves much behind: with room for it from the beginning, Node collects it less
      // often, which was a tenth of a run's processor time. A worker has 600 MB then.
      '--min-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // One more than there are cores, as tests of the calls wait for PostgreSQL half of the time.
    maxWorkers: availableParallelism() + 1,
    // Generous: a busy machine must not decide whether the shop is right.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 20_000,
    // Well below the thirty seconds after which what is cached is made anew in any case.
    expect: { poll: { timeout: 10_000 } },
  },
});
