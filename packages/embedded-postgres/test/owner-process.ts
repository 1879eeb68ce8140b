import { findRunningPostgres, startEmbeddedPostgres } from '#src/embedded-postgres.ts';

// A process that does nothing but own a data folder and its PostgreSQL, for the tests that kill one. It tells its
// parent what happens, a JSON line each, and closes in order when told to.
const [dataDir = ''] = process.argv.slice(2);
const tell = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`);

try {
  const postgres = await startEmbeddedPostgres({ dataDir });
  process.once('SIGTERM', () => postgres.stop().then(() => process.exit(0)));
  postgres.failure.then((how) => {
    tell({ failure: how });
    process.exit(1);
  });
  tell({ connection: postgres.connection, running: findRunningPostgres(dataDir) });
  process.stdin.resume();
} catch (error) {
  tell({ problem: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
