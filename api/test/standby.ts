import { chmodSync, chownSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { backUpDatabase } from '@parts-forge/embedded-postgres/back-up-database';

/** A PostgreSQL of the test's own, and the folder that it is in. */
export interface TestServer {
  postgres: EmbeddedPostgres;
  dataDir: string;
}

/** Nobody misses this data; a read in the way of what the standby has to replay is ended at once. */
const settings = { fsync: 'off', max_standby_streaming_delay: '0' };

export const startPrimary = async (dataDir: string): Promise<TestServer> => ({
  postgres: await startEmbeddedPostgres({ dataDir, transport: 'socket', settings }),
  dataDir,
});

/** Makes the folder a streaming replica of the primary, before its first start. */
export async function copyForStandby(primary: TestServer, dataDir: string): Promise<void> {
  await backUpDatabase({ ...primary, connection: primary.postgres.connection, target: dataDir });
  const database = join(dataDir, 'postgres');
  writeFileSync(join(database, 'standby.signal'), '');
  // As root, PostgreSQL runs as the folder's owner.
  const { uid, gid } = statSync(join(primary.dataDir, 'postgres'));
  for (const entry of ['.', ...(readdirSync(database, { recursive: true }) as string[])]) {
    chownSync(join(database, entry), uid, gid);
  }
  chmodSync(database, 0o700);
}

export async function startStandby(primary: TestServer, dataDir: string): Promise<TestServer> {
  const { host, port, user } = primary.postgres.connection;
  const conninfo = { primary_conninfo: `host='${host}' port=${port} user=${user}` };
  const options = { dataDir, transport: 'socket', settings: { ...settings, ...conninfo } } as const;
  return { postgres: await startEmbeddedPostgres(options), dataDir };
}

/** Its address as `DATABASE_URL` and the like have it. */
export function toUrl({ postgres: { connection } }: TestServer): string {
  const { host, port, user, database } = connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
