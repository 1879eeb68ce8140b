import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import * as z from 'zod/mini';
import { StartError } from '#src/platform/core/start-error.ts';
import { type Database, type Executor, withOwnConnection } from './connection.ts';
import { refuseOldRelease } from './instance.ts';
import { findMetadata, setMetadata } from './metadata.ts';

/** Serializes migrating and seeding. */
const SETUP_LOCK = 7_162_534;

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

export const countMigrations = (): number => readMigrationFiles({ migrationsFolder }).length;

/** 0 in an empty database. */
export async function countAppliedMigrations(db: Executor): Promise<number> {
  const { rows: tables } = await db.execute<{ name: string | null }>(
    sql`select to_regclass('public.migrations')::text as name`,
  );
  if (tables[0]?.name == null) return 0;
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from public.migrations`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Concurrent processes take turns.
 * @param onWait called when another process holds the lock
 * @throws StartError for a database of a newer program, or a statement that it does not know or allow, else
 * the database's error; the failing migration is rolled back
 */
export async function migrate(database: Database, onWait?: () => void): Promise<void> {
  await applyFrom(database, migrationsFolder, onWait).catch((error: unknown) => {
    throw explainRefusal(error) ?? error;
  });
  await setMetadata(database.db, RELEASE, release);
  await refuseOldRelease(database.db);
}

/** @throws StartError after a newer program has migrated the database */
export async function assertNotNewer(db: Executor): Promise<void> {
  const newer = await explainNewer(db);
  if (newer !== null) throw new StartError(newer);
}

const RELEASE = 'release';
const { version: release } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** Null unless a newer program has migrated the database: its tables may break the rules of this one. */
export async function explainNewer(db: Executor): Promise<string | null> {
  const [known, applied] = [countMigrations(), await countAppliedMigrations(db)];
  if (applied <= known) return null;
  const newer = await findMetadata(db, RELEASE);
  const of = newer === null || newer === release ? '' : ` (version ${newer})`;
  return `A newer version of the shop has migrated the database: it has ${applied} migrations${of}, this program (version ${release}) knows ${known}. Start the newer version, or restore a backup from before the upgrade.`;
}

/** PostgreSQL's classes for missing features (0A) and for denied or unknown names (42). */
const REFUSALS = /^(0A|42)/;
const LONGEST_STATEMENT = 160;

/** The text of a whole migration would hide the reason. */
function explainRefusal(error: unknown): StartError | null {
  if (!(error instanceof DrizzleQueryError) || !(error.cause instanceof pg.DatabaseError)) return null;
  const { cause, query } = error;
  if (!REFUSALS.test(cause.code ?? '')) return null;
  const statement = query
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const shown =
    statement.length > LONGEST_STATEMENT ? `${statement.slice(0, LONGEST_STATEMENT)}…` : statement;
  return new StartError(
    `The database refuses a statement that sets the tables up: ${cause.message} (${cause.code}). The statement is: ${shown}`,
    { cause: error },
  );
}

/** @param count of the first migrations */
export async function migrateToVersion(database: Database, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parts-forge-migrations-'));
  try {
    await cp(migrationsFolder, folder, { recursive: true });
    const file = join(folder, 'meta', '_journal.json');
    const journal = journalSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
    await applyFrom(database, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const journalSchema = z.looseObject({ entries: z.array(z.unknown()) });

function applyFrom(database: Database, folder: string, onWait?: () => void): Promise<void> {
  const apply = async (client: pg.Client) => {
    // Under the lock, as a newer program may migrate while this one waits.
    await assertNotNewer(drizzle(client));
    await applyMigrations(drizzle(client), {
      migrationsFolder: folder,
      migrationsSchema: 'public',
      migrationsTable: 'migrations',
    });
    await renewNameOrder(client);
  };
  return withSetupLock(database, apply, onWait);
}

/** A new ICU version may sort differently. */
async function renewNameOrder(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_collation where collname = 'name_order' and pg_has_role(collowner, 'usage')
     and collversion <> pg_collation_actual_version(oid)`,
  );
  if (!rowCount) return;
  await client.query('reindex index products_by_name');
  await client.query('alter collation name_order refresh version');
}

/**
 * No time limit.
 * @param onWait called when another process holds the lock
 */
export async function withSetupLock<T>(
  database: Pick<Database, 'connection' | 'pool'>,
  work: (client: pg.Client) => Promise<T>,
  onWait: () => void = () => {},
): Promise<T> {
  return withOwnConnection(database, async (client) => {
    await client.query('set client_min_messages = warning');
    const { rows } = await client.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [
      SETUP_LOCK,
    ]);
    if (!rows[0]?.isFree) {
      onWait();
      await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    }
    try {
      return await work(client);
    } finally {
      // Through a pooler the lock would outlive the connection; `connectToUrl` refuses poolers.
      await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK]).catch(() => {});
    }
  });
}
