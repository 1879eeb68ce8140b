import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '#src/platform/core/config.ts';
import { type Database, openDatabase } from '#src/platform/database/connection.ts';
import { type Finding, fails, note, readReason, works } from './check.ts';
import { describeTls, withPooledClient } from './check-connections.ts';

const PAUSE_MS = 50;

type ReplicaConfig = Pick<
  Config,
  'databaseReplicaUrl' | 'replicaLagMs' | 'statementTimeoutMs' | 'connectionTimeoutMs'
>;

/** The replica for public reads: that it answers, is a standby of this database, and follows it closely. */
export async function checkReplica(primary: Database, config: ReplicaConfig): Promise<Finding[]> {
  const { databaseReplicaUrl: url, replicaLagMs } = config;
  if (url === null) return [];
  const replica = openDatabase({ connectionString: url, max: 1 }, config, () => {});
  try {
    const tls = await withPooledClient(replica, async (client) =>
      describeTls('DATABASE_REPLICA_URL', client),
    );
    return [tls, await compare(primary, replica, replicaLagMs)];
  } catch (error) {
    const { host, pathname } = new URL(url);
    return [fails(`DATABASE_REPLICA_URL does not answer at ${host}${pathname}: ${readReason(error)}.`)];
  } finally {
    await replica.close();
  }
}

async function compare(primary: Database, replica: Database, lagMs: number): Promise<Finding> {
  const [ours, theirs] = await Promise.all([readIdentity(primary), readIdentity(replica)]);
  if (!theirs?.isStandby) return fails('DATABASE_REPLICA_URL leads to a server that is no standby.');
  if (theirs.cluster !== ours?.cluster || theirs.name !== ours?.name) {
    return fails('DATABASE_REPLICA_URL leads to a standby of another database than DATABASE_URL.');
  }
  return (await followsWithin(primary, replica, lagMs))
    ? works('DATABASE_REPLICA_URL leads to a standby of this database, which takes public reads.')
    : note(
        `The standby of DATABASE_REPLICA_URL is more than ${lagMs} ms behind (DATABASE_REPLICA_LAG_MS): its reads go to DATABASE_URL.`,
      );
}

async function readIdentity({ pool }: Database) {
  const { rows } = await pool.query<{ isStandby: boolean; name: string; cluster: string }>(
    `select pg_is_in_recovery() as "isStandby", current_database() as name, system_identifier::text as cluster
     from pg_control_system()`,
  );
  return rows[0];
}

async function followsWithin(primary: Database, replica: Database, lagMs: number): Promise<boolean> {
  const { rows: ends } = await primary.pool.query<{ lsn: string }>(
    'select pg_current_wal_insert_lsn()::text as lsn',
  );
  const until = performance.now() + lagMs;
  for (;;) {
    const { rows } = await replica.pool.query<{ hasReached: boolean }>(
      'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "hasReached"',
      [ends[0]?.lsn],
    );
    if (rows[0]?.hasReached) return true;
    if (performance.now() > until) return false;
    await wait(PAUSE_MS);
  }
}
