import { findRunningPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { makeDataFolder } from '@parts-forge/embedded-postgres/data-folder';
import pg from 'pg';
import { embeddedNames } from '../../api/src/process/connect-database.ts';
import { listChildren, pause, readPostmaster } from './shop.ts';

/** The database that the shop runs on, as somebody with the machine's rights gets at it. */
export interface ShopDatabase {
  /** Where the shop finds it: nothing for the embedded one. */
  settings: Record<string, string>;
  /** Runs `work` on a connection of its own, once the database takes one. @throws Error when it takes none in time */
  withConnection<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** The postmaster and what it has started; empty while it does not run. */
  listProcesses(): number[];
  stop(): Promise<void>;
}

/** How long the database may take to come back, crash recovery included. */
const PATIENCE_MS = 60_000;

/** The PostgreSQL that comes along, which the shop starts and watches itself. */
export function useEmbedded(dataDir: string): ShopDatabase {
  return {
    settings: {},
    withConnection: (work) => connect(() => findRunningPostgres(dataDir, embeddedNames), work),
    listProcesses: () => withChildren(readPostmaster(dataDir)),
    stop: async () => {},
  };
}

/**
 * The installed PostgreSQL as a server of somebody else, through `DATABASE_URL`. It is started again when it dies, as a
 * database's own service manager does.
 * @throws EmbeddedPostgresError when there is none of version 15 or newer
 */
export async function startInstalled(dataDir: string): Promise<ShopDatabase> {
  makeDataFolder(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, source: 'installed', transport: 'tcp' });
  const { user, password, host, port, database } = server.connection;
  return {
    settings: { DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/${database}` },
    withConnection: (work) => connect(() => server.connection, work),
    listProcesses: () => withChildren(readPostmaster(dataDir)),
    stop: () => server.stop(),
  };
}

function withChildren(postmaster: number): number[] {
  return postmaster === 0 ? [] : [postmaster, ...listChildren(postmaster)];
}

async function connect<T>(
  find: () => pg.ClientConfig | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  while (true) {
    const client = new pg.Client({ ...find(), connectionTimeoutMillis: 5_000 });
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
