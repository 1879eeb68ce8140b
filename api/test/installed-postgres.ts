import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';

// The installed PostgreSQL over TCP, with a password. Prints address and version as a JSON line, nothing if
// not installed, and runs until stdin closes.
const dataDir = mkdtempSync(join(tmpdir(), 'parts-forge-installed-'));
try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    source: 'installed',
    transport: 'tcp',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  const { user, password, host, port, database } = postgres.connection;
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`;
  process.stdout.write(`${JSON.stringify({ url, version: postgres.majorVersion })}\n`);
  const ended = new Promise((resolve) => {
    process.stdin.on('close', resolve).resume();
    process.once('SIGTERM', resolve).once('SIGINT', resolve);
  });
  await ended;
  await postgres.stop();
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
