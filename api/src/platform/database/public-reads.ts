import type { CacheTag } from '@parts-forge/contract/call';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeFeed } from './change-feed.ts';
import { type Database, type Executor, openDatabase } from './connection.ts';
import { createReplicaFreshness, type ReplicaFreshness } from './replica-freshness.ts';

/** How often within the bound the replica is asked how far it is. */
const PROBES_PER_BOUND = 4;
/** For one statement of the replica: a read that finds it hanging still has time for the primary. */
const REPLICA_TIMEOUT_MS = 1_000;

type PublicRead<T> = (db: Executor, database: Pick<Database, 'runPrepared'>) => Promise<T>;

/** Where reads that are the same for everyone are made: on the replica where that is sure to be right, else the primary. */
export interface PublicReads {
  /** Reads made so far. */
  readonly counts: Readonly<Record<'replica' | 'primary', number>>;
  /**
   * @param tags what the read shows
   * @param work may run a second time, on the primary, when the replica fails or refuses; it is given the database's
   *   statements as drizzle has them, and those that are prepared
   * @param isWhole whether everything that was looked for is in a result: what is not may be too new for the replica, as no
   *   tag of its was heard of before. Work that refuses what is missing does without it
   */
  run<T>(tags: readonly CacheTag[], work: PublicRead<T>, isWhole?: (result: T) => boolean): Promise<T>;
  close(): Promise<void>;
}

interface Needs {
  config: Pick<Config, 'databaseReplicaUrl' | 'replicaLagMs' | 'connectionTimeoutMs'>;
  database: Database;
  changes: Pick<ChangeFeed, 'subscribe'>;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/** @returns reads of the primary alone where no replica is set (docs/decisions/0071) */
export function openPublicReads({ config, database, changes, log }: Needs): PublicReads {
  const counts = { replica: 0, primary: 0 };
  const readPrimary = <T>(work: PublicRead<T>) => {
    counts.primary += 1;
    return work(database.db, database);
  };
  const { databaseReplicaUrl, replicaLagMs, connectionTimeoutMs } = config;
  if (databaseReplicaUrl === null) {
    return { counts, run: (_tags, work) => readPrimary(work), close: async () => {} };
  }
  const limits = { statementTimeoutMs: REPLICA_TIMEOUT_MS, connectionTimeoutMs };
  const max = database.pool.options.max;
  // Connections that break are noticed by their statements.
  const replica = openDatabase({ connectionString: databaseReplicaUrl, max }, limits, () => {});
  const freshness = createReplicaFreshness(replicaLagMs, () => performance.now());
  changes.subscribe((changed) => freshness.noteChange(changed));
  const stopProbing = probeRegularly(database.pool, replica.pool, freshness, replicaLagMs, log);

  return {
    counts,
    async run(tags, work, isWhole = () => true) {
      if (requestContext.current().readsOwnWrites || !freshness.has(tags)) return readPrimary(work);
      try {
        const result = await work(replica.db, replica);
        if (!isWhole(result)) return readPrimary(work);
        counts.replica += 1;
        return result;
      } catch (error) {
        // A refusal may be that of what is too new for the replica: no tag of its was heard of before. Every other
        // failure is the replica's: gone, hanging, or in the way of what it has to replay.
        if (!(error instanceof Problem)) freshness.distrust();
        return readPrimary(work);
      }
    },
    async close() {
      await stopProbing();
      await replica.close();
    },
  };
}

/** Asks again and again how far the replica is, and says when it falls out of use and when it is back. */
function probeRegularly(
  primary: pg.Pool,
  replica: pg.Pool,
  freshness: ReplicaFreshness,
  lagMs: number,
  log: Needs['log'],
): () => Promise<void> {
  const probe = createProbe(primary, replica, freshness);
  let isUsed: boolean | null = null;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const failure = await probe().then(
      () => null,
      (error: Error) => error,
    );
    const isFresh = failure === null && freshness.has([]);
    if (failure) freshness.distrust();
    if (isFresh && isUsed !== true) log.info('the replica takes public reads');
    if (!isFresh && isUsed !== false && isUsed !== null) {
      log.warn(
        { err: failure ?? undefined },
        'the replica is away or too far behind; the primary takes its reads',
      );
    }
    if (isFresh || failure) isUsed = isFresh;
    if (!isClosed) schedule();
  };
  let looking = Promise.resolve();
  const schedule = () => {
    timer = setTimeout(() => {
      looking = look();
    }, lagMs / PROBES_PER_BOUND);
    timer.unref();
  };
  looking = look();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await looking;
  };
}

/**
 * @returns looks once whether the replica has reached a place in the primary's log that was its end at a known moment.
 *   One that it has not reached stays the aim, as with much writing the end itself is never reached
 */
function createProbe(primary: pg.Pool, replica: pg.Pool, freshness: ReplicaFreshness): () => Promise<void> {
  let aim: { atMs: number; lsn: string } | null = null;
  return async () => {
    aim ??= await readEnd(primary);
    const { rows } = await replica.query<{ isStandby: boolean; hasReached: boolean }>(
      `select pg_is_in_recovery() as "isStandby", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "hasReached"`,
      [aim.lsn],
    );
    const { isStandby, hasReached } = rows[0] ?? { isStandby: false, hasReached: false };
    // Of one that was promoted by mistake the places mean nothing here.
    if (!isStandby) throw new Error('DATABASE_REPLICA_URL leads to a server that is no standby');
    if (!hasReached) return;
    freshness.noteProof(aim.atMs);
    aim = null;
  };
}

/** The end of the log, also of what is not on the disk yet: it is visible with `synchronous_commit = off`. */
async function readEnd(primary: pg.Pool): Promise<{ atMs: number; lsn: string }> {
  const atMs = performance.now();
  const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return { atMs, lsn: rows[0]?.lsn ?? '' };
}
