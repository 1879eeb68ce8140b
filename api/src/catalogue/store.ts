import { type LineProblem, writeFields } from '@parts-forge/contract/files/catalogue-file';
import { IMPORT_PAGE, type Import, MAX_LATEST_IMPORTS } from '@parts-forge/contract/products/catalogue';
import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { type ImportLine, productImportLines, productImports } from './schema.ts';

export type ImportRow = Omit<UnfinishedImport, 'keyId' | 'attempts' | 'nextAttemptAt'>;
export type StoredLine = Omit<typeof productImportLines.$inferSelect, 'importId' | 'place'>;

const { counts, done, leftOut, appliedAt, nextAttemptAt } = productImports;
const { importId, place, change, problems } = productImportLines;
const isNamed = (id: string): SQL => eq(productImports.id, id);

/** Lines that are written or read in one turn of the event loop. */
const LINES_AT_ONCE = 200;

/** Keeps a person's latest twenty previews: each has up to 10,000 lines. */
export async function insertImport(
  db: Executor,
  row: ImportRow,
  lines: readonly StoredLine[],
): Promise<void> {
  const { id, userId, createdAt } = productImports;
  const isPreview = and(eq(userId, row.userId), isNull(appliedAt));
  const previews = db.select({ id }).from(productImports).where(isPreview).orderBy(desc(createdAt));
  const older = previews.offset(MAX_LATEST_IMPORTS - 1);
  await db.delete(productImports).where(and(isPreview, inArray(id, older)));
  await db.insert(productImports).values(row);
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const slice = JSON.stringify(lines.slice(from, from + LINES_AT_ONCE));
    await db.execute(sql`
      insert into ${productImportLines} (import_id, place, change, problems)
      select ${row.id}::uuid, ${from}::int + n - 1, nullif(line->'change', 'null'), line->'problems'
      from jsonb_array_elements(${slice}::jsonb) with ordinality as lines (line, n)`);
  }
}

/**
 * Lines that change something, in their order.
 * @param from their place, of a kind alone the number of lines before
 */
async function findChanges(db: Executor, id: string, from: number, count: number, only?: string) {
  const query = db.select({ change: sql<ImportLine>`${change}` }).from(productImportLines);
  const isNext = only === undefined ? gte(place, from) : sql`${change}->'kinds' ? ${only}`;
  const next = query.where(and(eq(importId, id), isNext, isNotNull(change))).orderBy(place);
  return (await next.limit(count).offset(only === undefined ? 0 : from)).map((row) => row.change);
}

/** One page of its lines, of a kind alone with `only`; null for an unknown id. */
export async function findImport(db: Executor, id: string, from: number, only?: string) {
  const row = await findImportRow(db, id);
  if (!row) return null;
  const query = db.select({ problems }).from(productImportLines);
  const isRefused = and(eq(importId, id), sql`${problems} <> '[]'`);
  const refused = await query.where(isRefused).orderBy(place).limit(IMPORT_PAGE);
  return toImport(
    row,
    await findChanges(db, id, from, IMPORT_PAGE, only),
    refused.flatMap((line) => line.problems),
  );
}

/** Prices of customers are for people. */
export const maySee = ({ key }: Pick<Actor, 'key'>, { kind }: Pick<Import, 'kind'>): boolean =>
  key === null || kind !== 'prices';

/** Without lines, problems and columns. */
export async function findLatestImports(db: Executor): Promise<Import[]> {
  const none = sql<never[]>`'[]'::jsonb`;
  const columns = { ...getTableColumns(productImports), columns: none, notes: none };
  const query = db.select(columns).from(productImports).where(isNotNull(appliedAt)).orderBy(desc(appliedAt));
  return (await query.limit(MAX_LATEST_IMPORTS)).map((row) => toImport(row, [], []));
}

/** The file's own row; its lines are read apart, in slices. */
export async function findImportRow(db: Executor, id: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(productImports).where(isNamed(id));
  return row ?? null;
}

/** All lines in pages; one without lines if there are none. */
export async function* readImportLines(db: Executor, id: string): AsyncGenerator<readonly StoredLine[]> {
  for (let from = 0; ; from += LINES_AT_ONCE) {
    const isNext = and(eq(importId, id), gte(place, from), lt(place, from + LINES_AT_ONCE));
    const query = db.select({ change, problems }).from(productImportLines).where(isNext).orderBy(place);
    const rows = await query;
    yield rows;
    if (rows.length < LINES_AT_ONCE) return;
  }
}

/** Whether it changes stocks of parts that exist, and does what no key may: removals, and prices of customers. */
export async function findKinds(db: Executor, id: string): Promise<{ stock: boolean; forPeople: boolean }> {
  const has = (path: string) =>
    sql<boolean>`coalesce(bool_or(jsonb_path_exists(${change}, ${path}::jsonpath)), false)`;
  const kinds = {
    stock: has('$ ? (@.version != null && (exists(@.will.add) || exists(@.will.stock)))'),
    forPeople: has('$ ? (exists(@.will.remove) || exists(@.customer))'),
  };
  const [row] = await db.select(kinds).from(productImportLines).where(eq(importId, id));
  return row ?? { stock: false, forPeople: false };
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

export type UnfinishedImport = typeof productImports.$inferSelect;

const isToDo = sql`${done} < (${counts} ->> 'new')::int + (${counts} ->> 'changed')::int`;

/** The first that is due, if there is one. */
export const findUnfinishedImports = (db: Executor, now: Date): Promise<UnfinishedImport[]> =>
  db
    .select()
    .from(productImports)
    .where(and(isNotNull(appliedAt), isToDo, or(isNull(nextAttemptAt), lte(nextAttemptAt, now))))
    .orderBy(appliedAt)
    .limit(1);

export const postponeImport = (db: Executor, id: string, attempts: number, next: Date) =>
  db.update(productImports).set({ attempts, nextAttemptAt: next }).where(isNamed(id));

/** The place, until the transaction ends, and the lines from it on; none of an import that was deleted since. */
export async function lockPlace(
  tx: Executor,
  id: string,
  count: number,
): Promise<{ from: number; next: ImportLine[] }> {
  const [row] = await tx.select({ from: done }).from(productImports).where(isNamed(id)).for('update');
  const from = row?.from ?? 0;
  return { from, next: await findChanges(tx, id, from, count) };
}

/** @param skipped why lines from the former place on were left out */
export async function movePlace(
  tx: Executor,
  id: string,
  next: number,
  skipped: readonly LineProblem[],
): Promise<void> {
  const added = sql`${leftOut} + ${skipped.length}`;
  await tx.update(productImports).set({ done: next, leftOut: added }).where(isNamed(id));
  if (skipped.length === 0) return;
  await tx.execute(sql`
    update ${productImportLines} set problems = jsonb_build_array(problem)
    from jsonb_array_elements(${JSON.stringify(skipped)}::jsonb) as problem
    where import_id = ${id}::uuid and place < ${next} and change->'line' = problem->'line'`);
}

/** Repeatable. @param abandoned for previews that nobody applied */
export async function forgetImports(db: Executor, before: Date, abandoned: Date): Promise<void> {
  const { createdAt } = productImports;
  const isAbandoned = and(isNull(appliedAt), lt(createdAt, abandoned));
  await db.delete(productImports).where(or(lt(createdAt, before), isAbandoned));
}

/** Lines of a deleted account lose its address, so that nobody's prices are applied or undone. */
export const forgetCustomer = (tx: Executor, userId: string) =>
  tx.execute(sql`
    update ${productImportLines} set change = change || '{"customer": "", "user": ""}'
    from ${productImports} as file
    where file.id = import_id and file.kind = 'prices' and change ->> 'user' = ${userId}`);

/** As cells; `add` is shown as the stock after it, by what the stock was. */
export function listChanges({ will: { add, stockWas: _, ...after }, was }: Pick<ImportLine, 'will' | 'was'>) {
  const stock = add === undefined ? {} : { stock: (was.stock ?? 0) + add };
  const before = writeFields(was);
  return Object.entries(writeFields({ ...after, ...stock })).flatMap(([column, text]) =>
    text === before[column] ? [] : [{ column, was: before[column] ?? '', will: text }],
  );
}

export function toImport(
  { id, userId: _, ...row }: ImportRow,
  lines: readonly ImportLine[],
  problems: readonly LineProblem[],
): Import {
  const isDone = row.done === row.counts.new + row.counts.changed;
  const state = row.appliedAt === null ? 'preview' : isDone ? 'applied' : 'applying';
  const shown = lines.map(({ part: _, user: __, moves: ___, kinds: ____, version, will, was, ...line }) => ({
    ...line,
    isNew: version === null,
    changes: listChanges({ will, was }),
  }));
  return {
    _id: id,
    name: row.name,
    kind: row.kind,
    undoes: row.undoes,
    state,
    columns: row.columns,
    notes: row.notes,
    kinds: row.kinds,
    lines: shown,
    createdAt: row.createdAt.toISOString(),
    appliedAt: row.appliedAt?.toISOString() ?? null,
    counts: { ...row.counts, done: row.done, leftOut: row.leftOut },
    problems: problems.slice(0, IMPORT_PAGE),
  };
}
