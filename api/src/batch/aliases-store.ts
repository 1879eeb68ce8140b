import { MAX_ALIASES } from '@parts-forge/contract/calls/bounds';
import type { Alias } from '@parts-forge/contract/orders/aliases';
import type { UserData } from '@parts-forge/contract/people/accounts';
import { foldPartName } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { Problem } from '#src/platform/core/problem.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import {
  containsPattern,
  findPage,
  type Keyset,
  type Page,
  type PageRequest,
  readSearchWords,
} from '#src/platform/database/find-page.ts';
import { inNameOrder, products } from '#src/products/schema.ts';
import { findProductsById, toProduct } from '#src/products/store.ts';
import { batchAliases } from './schema.ts';

type AliasRow = typeof batchAliases.$inferSelect;
export type NewAlias = Pick<AliasRow, 'alias' | 'productId' | 'lastUsedAt'>;

const ofUser = (userId: string, folded: readonly string[]): SQL | undefined =>
  and(eq(batchAliases.userId, userId), inArray(batchAliases.folded, [...folded]));

const byName: Keyset<AliasRow> = {
  shape: ['text'],
  readKey: ({ folded }) => [folded],
  after: ([folded]) => sql`${inNameOrder(batchAliases.folded)} > ${folded}`,
  order: inNameOrder(batchAliases.folded),
};

/** @throws Problem `invalid` for an unknown cursor */
export async function findAliases(
  db: Drizzle,
  userId: string,
  { q = '', ...request }: PageRequest & { q?: string | undefined } = {},
): Promise<Page<Alias>> {
  const words = (await readSearchWords(db, q)).map(containsPattern);
  const ofPart = sql`exists (select from ${products} where ${products.id} = ${batchAliases.productId}
    and products.search like all (${sql.param(words)}::text[]))`;
  const named = sql`${batchAliases.folded} like ${containsPattern(foldPartName(q))}`;
  const matches = and(eq(batchAliases.userId, userId), q === '' ? undefined : or(named, ofPart));
  const page = await findPage(db, batchAliases, request, byName, matches, (row) => row);
  return { ...page, rows: await addParts(db, page.rows) };
}

async function addParts(db: Executor, rows: readonly AliasRow[]): Promise<Alias[]> {
  const parts = await findProductsById(
    db,
    rows.map(({ productId }) => productId),
  );
  return rows.flatMap(({ alias, productId, lastUsedAt }) => {
    const { product, isDeleted } = parts.get(productId) ?? {};
    if (!product) return [];
    const { _id, name, number, image } = product;
    return {
      alias,
      product: { _id, name, number, image, ...(isDeleted && { gone: true as const }) },
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  });
}

/** For an account's export. */
export async function findAllAliases(db: Executor, userId: string): Promise<UserData['aliases']> {
  const rows = await db
    .select({
      alias: batchAliases.alias,
      product: products.id,
      name: products.name,
      at: batchAliases.createdAt,
    })
    .from(batchAliases)
    .innerJoin(products, eq(products.id, batchAliases.productId))
    .where(eq(batchAliases.userId, userId))
    .orderBy(byName.order);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Of each part the name that was used last. */
export async function findNamesOfParts(
  db: Executor,
  userId: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectDistinctOn([batchAliases.productId])
    .from(batchAliases)
    .where(and(eq(batchAliases.userId, userId), inArray(batchAliases.productId, [...productIds])))
    .orderBy(batchAliases.productId, sql`${batchAliases.lastUsedAt} desc nulls last`, batchAliases.folded);
  return new Map(rows.map(({ productId, alias }) => [productId, alias]));
}

/**
 * The caller's transaction begins with `actor.confirm`, so that one customer's writes do not overlap.
 * @throws Problem `too-many-names`
 */
export async function writeAliases(
  tx: Executor,
  userId: string,
  aliases: readonly NewAlias[],
  now: Date,
): Promise<void> {
  if (aliases.length === 0) return;
  const rows = aliases.map((row) => ({
    ...row,
    userId,
    folded: foldPartName(row.alias),
    createdAt: now,
    updatedAt: now,
  }));
  await tx
    .insert(batchAliases)
    .values(rows)
    .onConflictDoUpdate({
      target: [batchAliases.userId, batchAliases.folded],
      set: {
        alias: sql`excluded.alias`,
        productId: sql`excluded.product_id`,
        lastUsedAt: sql`coalesce(excluded.last_used_at, ${batchAliases.lastUsedAt})`,
        updatedAt: sql`excluded.updated_at`,
      },
    });
  const count = await tx.$count(batchAliases, eq(batchAliases.userId, userId));
  if (count > MAX_ALIASES) throw new Problem('too-many-names');
}

export const hasAlias = async (db: Executor, userId: string, alias: string): Promise<boolean> =>
  (await db.$count(batchAliases, ofUser(userId, [foldPartName(alias)]))) > 0;

/** @param names folded; those of other customers and unknown ones are ignored */
export const noteUse = (tx: Executor, userId: string, names: readonly string[], now: Date) =>
  tx.update(batchAliases).set({ lastUsedAt: now }).where(ofUser(userId, names));

/** @returns 1 or 0 */
export async function deleteAlias(tx: Executor, userId: string, alias: string): Promise<number> {
  const { rowCount } = await tx.delete(batchAliases).where(ofUser(userId, [foldPartName(alias)]));
  return rowCount ?? 0;
}

/** A part that a name means. */
export interface NamedPart {
  product: Product;
  by: (typeof places)[number];
}

/**
 * By number, else by the customer's own name, else by everybody's: several parts may have one of those. Last
 * by the number of a removed part, the one removed last.
 * @param names folded
 */
export async function findNamedParts(
  db: Executor,
  userId: string,
  names: readonly string[],
): Promise<Map<string, NamedPart[]>> {
  const given = sql`${sql.param([...names])}::text[]`;
  // With many names the index is slower than one look at all parts.
  const inIndex = names.length <= FEW_NAMES ? sql`and also_known_as && ${given}` : sql``;
  const named = sql`(
    select number as name, id, 1 as place from ${products} where number = any (${given}) and deleted_at is null
    union all
    select folded, product_id, 2 from ${batchAliases} where user_id = ${userId} and folded = any (${given})
    union all
    select wanted.name, id, 3 from ${products} cross join unnest(also_known_as) as known(name)
    join unnest(${given}) as wanted(name) on wanted.name = known.name
    where also_known_as <> '{}' and deleted_at is null ${inIndex}
    union all
    select number, id, 4 from ${products} where number = any (${given}) and deleted_at is not null
  ) as named`;
  const rows = await db
    .select({ name: sql<string>`named.name`, place: sql<number>`named.place`, part: products })
    .from(products)
    .innerJoin(named, sql`named.id = ${products.id}`)
    .orderBy(sql`named.place`, sql`${products.deletedAt} desc nulls last`, products.number);
  const parts = new Map<string, NamedPart[]>();
  for (const { name, place, part } of rows) {
    const by = places[place - 1] ?? 'removed';
    const found = parts.get(name) ?? [];
    if (found[0] && (found[0].by !== by || by === 'removed')) continue;
    parts.set(name, [...found, { product: toProduct(part), by }]);
  }
  return parts;
}

const FEW_NAMES = 50;
const places = ['number', 'customer', 'everybody', 'removed'] as const;
