import type pg from 'pg';
import { StartError } from '#src/platform/core/start-error.ts';
import { type Database, withOwnConnection } from '#src/platform/database/connection.ts';
import { findInstanceId, markMoved } from '#src/platform/database/instance.ts';
import { countAppliedMigrations, countMigrations, migrateToVersion } from '#src/platform/database/migrate.ts';
import { beginReading, loadRows, openRows, type RowSource } from './rows.ts';
import { rowSchemas, shopSchemas } from './schemas.ts';
import { findDifferences, summarizeRows, type TableSummary } from './summarize-rows.ts';

export interface Move {
  source: Database;
  target: Database;
  /** For messages, without the password. */
  targetName: string;
  signal: AbortSignal;
  say(text: string): void;
}

/**
 * Moves a closed shop with its id, compares all tables and marks the source, on which no shop starts again.
 * Two shops with one id would both make the same refund. A restored backup would be a copy without the id.
 * Repeatable: an interrupted move starts over, a finished one is compared again.
 *
 * @returns the moved tables
 * @throws StartError when the target has anything else, or the moved shop has since changed there
 */
export async function moveShop({ source, target, targetName, signal, say }: Move): Promise<TableSummary[]> {
  const instanceId = await findInstanceId(source.db);
  if (instanceId === null) throw new StartError('There is no shop in this data folder yet.');
  const migrations = await countAppliedMigrations(source.db);
  if (migrations > countMigrations()) {
    throw new StartError('This shop was opened by a newer version: move it with that one.');
  }
  return withOwnConnection(source, async (reader) => {
    await beginReading(reader);
    const rows = await openRows(reader, rowSchemas);
    const summary = await summarizeRows(reader, rows.tables);
    if ((await examineTarget(target, instanceId, migrations)) === 'moved') {
      say('The shop is there already; comparing …');
      await withOwnConnection(target, (writer) => assertNotLivedOn(writer, rows, summary));
    } else {
      say('Making the tables …');
      await migrateToVersion(target, migrations);
      say('Carrying the rows over …');
      await loadRows(target, rowSchemas, rows, signal, (writer) => assertSame(writer, rows, summary));
    }
    await markMoved(source.db, targetName);
    return summary;
  });
}

/** @returns `moved` for this shop. @throws StartError for other content */
async function examineTarget(
  target: Database,
  instanceId: string,
  migrations: number,
): Promise<'free' | 'moved'> {
  const { rows } = await target.pool.query<{ hasTables: boolean; hasShop: boolean }>(
    `select exists (select from pg_tables where schemaname = any($1)) as "hasTables",
       to_regclass('public.migrations') is not null and to_regclass('public.settings') is not null as "hasShop"`,
    [shopSchemas],
  );
  const [{ hasTables, hasShop } = { hasTables: true, hasShop: false }] = rows;
  if (!hasTables) return 'free';
  if (!hasShop) throw new StartError('The database has tables that are no shop: name an empty one.');
  const present = await findInstanceId(target.db);
  if (present === instanceId) return 'moved';
  // An interrupted move leaves empty tables, as rows come in one transaction.
  if (
    present !== null ||
    (await countAppliedMigrations(target.db)) !== migrations ||
    (await hasRows(target))
  ) {
    throw new StartError('The database has another shop: name an empty one.');
  }
  return 'free';
}

async function hasRows(target: Database): Promise<boolean> {
  const summary = await withOwnConnection(target, async (client) =>
    summarizeRows(client, (await openRows(client, rowSchemas)).tables),
  );
  // Migrating writes its own rows, the version into the settings, and a row for each series of papers.
  const written = new Map([
    ['public.migrations', Number.POSITIVE_INFINITY],
    ['public.settings', 1],
    ['public.invoice_numbers', 3],
  ]);
  return summary.some(({ name, count }) => count > (written.get(name) ?? 0));
}

async function assertNotLivedOn(
  writer: pg.Client,
  { tables }: RowSource,
  expected: readonly TableSummary[],
): Promise<void> {
  const [difference] = findDifferences(expected, await summarizeRows(writer, tables));
  if (difference === undefined) return;
  throw new StartError(
    `The shop has lived on in that database since it was moved (${difference}): it stays as it is. Nothing was changed.`,
  );
}

/** @throws Error, which rolls back the load */
async function assertSame(
  writer: pg.Client,
  { tables }: RowSource,
  expected: readonly TableSummary[],
): Promise<void> {
  const differences = findDifferences(expected, await summarizeRows(writer, tables));
  if (differences.length > 0)
    throw new Error(`The rows did not arrive as they were: ${differences.join(', ')}`);
}
