import { rmSync } from 'node:fs';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { createThrowAwayFolder } from '@parts-forge/embedded-postgres/throw-away-folder';
import type pg from 'pg';

/** Deleted when stopped. */
export async function startThrowAway({ transport }: Pick<EmbeddedPostgresOptions, 'transport'>): Promise<{
  connection: pg.PoolConfig & Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'];
  stop(): Promise<void>;
}> {
  const dataDir = createThrowAwayFolder();
  // Not durable.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir, settings, ...(transport && { transport }) });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { connection: postgres.connection, stop };
}
