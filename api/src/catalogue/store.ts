import { IMPORT_PAGE, type Import, MAX_LATEST_IMPORTS } from '@parts-forge/contract/catalogue';
import { type LineProblem, writeFields } from '@parts-forge/contract/catalogue-file';
import {
  and,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { type ImportLine, productImports } from './schema.ts';

export type ImportRow = Omit<typeof productImports.$inferSelect, 'keyId'>;

const { lines, problems, counts, done, leftOut, appliedAt } = productImports;
const isNamed = (id: string): SQL => eq(productImports.id, id);

/** Of a person's previews the latest twenty stay: each has up to 10,000 lines. */
export async function insertImport(db: Executor, row: ImportRow): Promise<void> {
  const { id, userId, createdAt } = productImports;
  const isPreview = and(eq(userId, row.userId), isNull(appliedAt));
  const previews = db.select({ id }).from(productImports).where(isPreview).orderBy(desc(createdAt));
  const older = previews.offset(MAX_LATEST_IMPORTS - 1);
  await db.delete(productImports).where(and(isPreview, inArray(id, older)));
  await db.insert(productImports).values(row);
}

const slice = <Item>(column: PgColumn, from: number, count = IMPORT_PAGE): SQL<Item[]> =>
  sql`jsonb_path_query_array(${column}, ${`$[${from} to ${from + count - 1}]`}::jsonpath)`;

/** One page of its lines; null for an unknown id. */
export async function findImport(db: Executor, id: string, from: number): Promise<Import | null> {
  const pages = { lines: slice<ImportLine>(lines, from), problems: slice<LineProblem>(problems, 0) };
  const columns = { ...getTableColumns(productImports), ...pages };
  const [row] = await db.select(columns).from(productImports).where(isNamed(id));
  return row ? toImport(row) : null;
}

/** Without lines, problems and columns. */
export async function findLatestImports(db: Executor): Promise<Import[]> {
  const none = sql<never[]>`'[]'::jsonb`;
  const without = { lines: none, problems: none, columns: none, notes: none };
  const columns = { ...getTableColumns(productImports), ...without };
  const query = db.select(columns).from(productImports).where(isNotNull(appliedAt)).orderBy(desc(appliedAt));
  return (await query.limit(MAX_LATEST_IMPORTS)).map(toImport);
}

export async function findWholeImport(db: Executor, id: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(productImports).where(isNamed(id));
  return row ?? null;
}

/** Of a part that exists; a new one has a first stock, as by `POST /product`. */
export async function changesStock(db: Executor, id: string): Promise<boolean> {
  const path = '$[*] ? (@.version != null && (exists(@.will.add) || exists(@.will.stock)))';
  const hasStock = sql<boolean>`jsonb_path_exists(${lines}, ${path}::jsonpath)`;
  const [row] = await db.select({ hasStock }).from(productImports).where(isNamed(id));
  return row?.hasStock ?? false;
}

/** Keeps the first administrator and moment. */
export async function markApplied(
  db: Executor,
  id: string,
  { userId, key }: Pick<Actor, 'userId' | 'key'>,
  now: Date,
): Promise<void> {
  await db
    .update(productImports)
    .set({ appliedAt: now, userId, keyId: key?.id ?? null })
    .where(and(isNamed(id), isNull(appliedAt)));
}

const all = sql<number>`(${counts} ->> 'new')::int + (${counts} ->> 'changed')::int`.mapWith(Number);

export type UnfinishedImport = Pick<
  typeof productImports.$inferSelect,
  'id' | 'userId' | 'keyId' | 'createdAt'
> & {
  /** Lines. */
  all: number;
};

/** Oldest first. */
export async function findUnfinishedImport(db: Executor): Promise<UnfinishedImport | null> {
  const { id, userId, keyId, createdAt } = productImports;
  const isUnfinished = and(isNotNull(appliedAt), lt(done, all));
  const query = db.select({ id, userId, keyId, createdAt, all }).from(productImports);
  const [row] = await query.where(isUnfinished).orderBy(appliedAt).limit(1);
  return row ?? null;
}

/** The place, until the transaction ends, and the lines from it on; null when another process has it. */
export async function lockPlace(
  tx: Executor,
  id: string,
  count: number,
): Promise<{ from: number; next: ImportLine[] } | null> {
  const query = tx.select({ from: done }).from(productImports).where(isNamed(id));
  const [row] = await query.for('update', { skipLocked: true });
  if (!row) return null;
  // Whole files of 10,000 lines would fill the memory.
  const page = { next: slice<ImportLine>(lines, row.from, count) };
  const [found] = await tx.select(page).from(productImports).where(isNamed(id));
  return { from: row.from, next: found?.next ?? [] };
}

/** @param skipped why lines were left out */
export async function movePlace(
  tx: Executor,
  id: string,
  place: number,
  skipped: readonly LineProblem[],
): Promise<void> {
  const join = (column: PgColumn, items: readonly unknown[]) =>
    sql`${JSON.stringify(items)}::jsonb || ${column}`;
  const added = {
    problems: join(problems, skipped),
    leftOut: join(
      leftOut,
      skipped.map(({ line }) => line),
    ),
  };
  await tx
    .update(productImports)
    .set({ done: place, ...(skipped.length > 0 && added) })
    .where(isNamed(id));
}

/** Repeatable. @param abandoned for previews that nobody applied */
export async function forgetImports(db: Executor, before: Date, abandoned: Date): Promise<void> {
  const { createdAt } = productImports;
  const isAbandoned = and(isNull(appliedAt), lt(createdAt, abandoned));
  await db.delete(productImports).where(or(lt(createdAt, before), isAbandoned));
}

/** `add` is shown as the stock after it, by what the stock was. */
export function toImport({ id, userId: _, ...row }: ImportRow): Import {
  const isDone = row.done === row.counts.new + row.counts.changed;
  const state = row.appliedAt === null ? 'preview' : isDone ? 'applied' : 'applying';
  const shown = row.lines.map(({ part: _, moves: __, version, will, was, ...line }) => {
    const { add, stockWas: ___, ...after } = will;
    const stock = add === undefined ? {} : { stock: (was.stock ?? 0) + add };
    const before = writeFields(was);
    const changes = Object.entries(writeFields({ ...after, ...stock })).map(([column, text]) => ({
      ...{ column, was: before[column] ?? '', will: text },
    }));
    return { ...line, isNew: version === null, changes };
  });
  return {
    ...{ _id: id, name: row.name, state, columns: row.columns, notes: row.notes, lines: shown },
    createdAt: row.createdAt.toISOString(),
    appliedAt: row.appliedAt?.toISOString() ?? null,
    counts: { ...row.counts, done: row.done, leftOut: row.leftOut.length },
    problems: row.problems,
  };
}
