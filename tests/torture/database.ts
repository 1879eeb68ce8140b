import { setTimeout as pause } from 'node:timers/promises';
import { findRunningPostgres } from '@parts-forge/embedded-postgres';
import { childPids } from '@parts-forge/embedded-postgres/linux-processes';
import pg from 'pg';
import { embeddedNames } from '../../api/src/process/connect-database.ts';
import { findPostmaster } from './shop.ts';

/** Crash recovery included. */
const PATIENCE_MS = 60_000;

/** With the postmaster; empty when not running. */
export function listDatabaseProcesses(dataDir: string): number[] {
  const postmaster = findPostmaster(dataDir);
  return postmaster === 0 ? [] : [postmaster, ...childPids(postmaster)];
}

/** Waits for the database. @throws Error at the timeout */
export async function withConnection<T>(
  dataDir: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  while (true) {
    const client = new pg.Client({
      ...findRunningPostgres(dataDir, embeddedNames),
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(100);
      continue;
    }
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
