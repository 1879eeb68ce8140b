import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { countAppliedMigrations, countMigrations, explainNewer } from '#src/platform/database/migrate.ts';
import { type Finding, fails, note, readReason, type Visit, works } from './check.ts';
import { checkConnections } from './check-connections.ts';

/** Checks connection, version, permissions and migrations. */
export async function checkDatabase({ config, openDatabase }: Visit): Promise<Finding[]> {
  let database: Database | null;
  try {
    database = await openDatabase();
  } catch (error) {
    if (error instanceof StartError) return [fails(error.message)];
    throw error;
  }
  if (database === null) return [works('The first start makes the embedded database.')];
  return [
    await describeServer(database, config.databaseUrl),
    ...(config.databaseUrl === null
      ? []
      : await checkConnections(database, config.databaseDirectUrl !== null)),
    ...(await checkTables(database)),
  ];
}

async function describeServer({ pool }: Database, url: string | null): Promise<Finding> {
  const { rows } = await pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const where = url === null ? 'the embedded database' : describeAddress(url);
  return works(`PostgreSQL ${rows[0]?.version} answers: ${where}.`);
}

function describeAddress(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

async function checkTables(database: Database): Promise<Finding[]> {
  const known = countMigrations();
  const applied = await countAppliedMigrations(database.db);
  const newer = await explainNewer(database.db);
  if (newer !== null) return [fails(newer)];
  const refusal = await findMissingRight(database);
  if (applied === known) {
    const tables = works(`The tables are up to date (${known} migrations).`);
    const mayUpgrade = note(`An upgrade that changes tables will need more rights: ${refusal}.`);
    return refusal === null ? [tables, rightsAreThere] : [tables, mayUpgrade];
  }
  const waiting = note(`${known - applied} of ${known} migrations are applied by the next start.`);
  return [
    waiting,
    refusal === null ? rightsAreThere : fails(`The user may not set the shop up: ${refusal}.`),
  ];
}

const rightsAreThere = works('The user may create schemas, tables and the extension pg_trgm.');

/**
 * Tries a first start and rolls it back, because providers grant extensions differently.
 * @returns the database's reason; null when nothing is missing
 */
async function findMissingRight({ pool }: Database): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('create schema doctor_tries; create table doctor_tries.rights (id int)');
    await client.query('create table public.doctor_tries (id int)');
    await client.query('create extension if not exists pg_trgm');
    return null;
  } catch (error) {
    return readReason(error);
  } finally {
    await client.query('rollback');
    client.release();
  }
}
