import { IMPORT_PAGE, type Import } from '@parts-forge/contract/catalogue';
import { type LineProblem, writeFields } from '@parts-forge/contract/catalogue-file';
import { and, eq, getTableColumns, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '#src/platform/database/connection.ts';
import { type ImportLine, productImports } from './schema.ts';

export type ImportRow = typeof productImports.$inferSelect;

const { lines, problems, counts, done, leftOut, appliedAt } = productImports;
const isNamed = (id: string): SQL => eq(productImports.id, id);

export async function insertImport(db: Executor, row: ImportRow): Promise<void> {
  await db.insert(productImports).values(row);
}

const slice = <Item>(column: PgColumn, from: number): SQL<Item[]> =>
  sql`jsonb_path_query_array(${column}, ${`$[${from} to ${from + IMPORT_PAGE - 1}]`}::jsonpath)`;

/** One page of its lines; null for an unknown id. */
export async function findImport(db: Executor, id: string, from: number): Promise<Import | null> {
  const pages = { lines: slice<ImportLine>(lines, from), problems: slice<LineProblem>(problems, 0) };
  const columns = { ...getTableColumns(productImports), ...pages };
  const [row] = await db.select(columns).from(productImports).where(isNamed(id));
  return row ? toImport(row) : null;
}

export async function findWholeImport(db: Executor, id: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(productImports).where(isNamed(id));
  return row ?? null;
}

/** Keeps the first administrator and moment. */
export async function markApplied(db: Executor, id: string, userId: string, now: Date): Promise<void> {
  await db
    .update(productImports)
    .set({ appliedAt: now, userId })
    .where(and(isNamed(id), isNull(appliedAt)));
}

/** Oldest first. */
export async function findUnfinishedImport(db: Executor): Promise<ImportRow | null> {
  const all = sql`(${counts} ->> 'new')::int + (${counts} ->> 'changed')::int`;
  const isUnfinished = and(isNotNull(appliedAt), lt(done, all));
  const [row] = await db.select().from(productImports).where(isUnfinished).orderBy(appliedAt).limit(1);
  return row ?? null;
}

/** Until the transaction ends; null when another process has it. */
export async function lockPlace(tx: Executor, id: string): Promise<number | null> {
  const query = tx.select({ done }).from(productImports).where(isNamed(id));
  const [row] = await query.for('update', { skipLocked: true });
  return row?.done ?? null;
}

/** @param skipped why lines were left out */
export async function movePlace(
  tx: Executor,
  id: string,
  place: number,
  skipped: readonly LineProblem[],
): Promise<void> {
  const join = (column: PgColumn, items: readonly unknown[]) =>
    sql`${column} || ${JSON.stringify(items)}::jsonb`;
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

/** Repeatable. */
export async function forgetImports(db: Executor, before: Date): Promise<void> {
  await db.delete(productImports).where(lt(productImports.createdAt, before));
}

/** `add` is shown as the stock after it, by what the stock was. */
export function toImport({ id, userId: _, ...row }: ImportRow): Import {
  const isDone = row.done === row.counts.new + row.counts.changed;
  const state = row.appliedAt === null ? 'preview' : isDone ? 'applied' : 'applying';
  const shown = row.lines.slice(0, IMPORT_PAGE).map(({ version, will, was, ...line }) => {
    const { add, stockWas: __, ...after } = will;
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
    problems: row.problems.slice(0, IMPORT_PAGE),
  };
}
