import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresConnection, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { embeddedNames } from '#src/process/connect-database.ts';
import { cleanUps, copyReadyDataFolder } from './processes.ts';

/** External, for `DATABASE_URL`: over TCP, with an empty database. */
export interface OwnedPostgres {
  connection: PostgresConnection;
  url: string;
}

/**
 * On a copy of the ready data folder, until the test ends; without a password.
 * @param prepare gets PostgreSQL's folder and returns settings
 */
export async function startOwnedPostgres(
  prepare: (folder: string) => Record<string, string> = () => ({}),
): Promise<OwnedPostgres> {
  const dataDir = copyReadyDataFolder();
  const folder = join(dataDir, 'postgres');
  writeFileSync(join(dataDir, 'postgres-password'), 'of-the-owner\n');
  writeFileSync(join(folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  const { user } = embeddedNames;
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...prepare(folder) };
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, user, settings });
  cleanUps.push(stop);
  const { password, port, database } = connection;
  return { connection, url: `postgres://${user}:${password}@localhost:${port}/${database}` };
}
