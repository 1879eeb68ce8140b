import { findRunningPostgres, startEmbeddedPostgres } from '#src/embedded-postgres.ts';

// Owns a data folder and its PostgreSQL, for tests that kill the owner. Reports each event to its parent as a
// JSON line and shuts down cleanly on SIGTERM.
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
