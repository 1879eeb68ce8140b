import { MAX_PART_NUMBER, MIN_PART_NUMBER } from '@parts-forge/contract/calls/bounds';
import { toAmount, toCents } from '@parts-forge/contract/money/money';
import type { EditedPart } from '@parts-forge/contract/products/product-changes';
import { IS_NUMBER, NO_PART_HAS_NUMBER } from '@parts-forge/contract/products/product-fields';
import type { NewProduct, Product } from '@parts-forge/contract/products/products';
import { and, desc, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { containsPattern } from '#src/platform/database/find-page.ts';
import { trail } from '#src/trail/schema.ts';
import { listNearNumbers } from './near-numbers.ts';
import { type PriceBreakRow, phoneModels, products, scarceProducts, stockNotes } from './schema.ts';

export type ProductRow = typeof products.$inferSelect;

export function toProduct(row: ProductRow): Product {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    price: toAmount(row.priceCents),
    quantity: row.quantity,
    minimumOrder: row.minimumOrder,
    image: row.image,
    number: row.number,
    alsoKnownAs: row.alsoKnownAs,
    kind: row.kind,
    fits: row.fits,
    attributes: row.attributes,
    images: [row.image, ...row.moreImages],
    orderStep: row.orderStep,
    priceBreaks: row.priceBreaks.map(({ quantity, priceCents }) => ({
      quantity,
      price: toAmount(priceCents),
    })),
    availableUntil: row.availableUntil,
    deliveryDays: row.deliveryDays,
    replacedBy: row.replacedBy,
    expectedAt: row.expectedAt,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const toBreakRows = (breaks: Product['priceBreaks']): PriceBreakRow[] =>
  breaks.map(({ quantity, price }) => ({ quantity, priceCents: toCents(price) }));

export async function findScarceProducts(db: Executor, limit: number): Promise<Product[]> {
  const rows = await db
    .select(getTableColumns(products))
    .from(scarceProducts)
    .innerJoin(products, eq(products.id, scarceProducts.productId))
    .orderBy(scarceProducts.minimumOrders, scarceProducts.productId)
    .limit(limit);
  return rows.map(toProduct);
}

/** Null for a missing or deleted product. */
export async function findProduct(db: Executor, id: string): Promise<Product | null> {
  const [row] = await db
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)));
  return row ? toProduct(row) : null;
}

const columns = Object.entries(getTableColumns(products)).map(([key, { name }]) => `${name} as "${key}"`);
/** Prepared, as parts are read again after each order. The driver's types match the columns here. */
const selectOnSale = {
  name: 'find-products-on-sale',
  text: `select ${columns.join(', ')} from products where id = any ($1::uuid[]) and deleted_at is null`,
};

/** Returns parts by their lower-case id. */
export async function findProductsOnSale(
  database: Pick<Database, 'runPrepared'>,
  ids: readonly string[],
): Promise<Map<string, Product>> {
  const { rows } = await database.runPrepared<ProductRow>({
    ...selectOnSale,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}

/** Phone models of parts on sale. */
export async function findModels(db: Executor): Promise<string[]> {
  const rows = await db
    .selectDistinct({ model: sql<string>`unnest(${products.fits})` })
    .from(products)
    .where(isNull(products.deletedAt));
  return rows.map(({ model }) => model).sort();
}

/** On sale, newest first. */
export function findNewestNames(db: Executor, limit: number): Promise<{ _id: string; name: string }[]> {
  return db
    .select({ _id: products.id, name: products.name })
    .from(products)
    .where(isNull(products.deletedAt))
    .orderBy(desc(products.createdAt), desc(products.id))
    .limit(limit);
}

/** Includes deleted products; skips unknown ids. */
export async function findProductsById(
  db: Executor,
  ids: readonly string[],
): Promise<Map<string, { product: Product; isDeleted: boolean }>> {
  const rows = await db
    .select()
    .from(products)
    .where(inArray(products.id, [...ids]));
  return new Map(rows.map((row) => [row.id, { product: toProduct(row), isDeleted: row.deletedAt !== null }]));
}

/** On sale, by number. @param lock until the transaction ends, in the order of ids, as orders do */
export async function findProductsByNumber(
  db: Executor,
  numbers: readonly string[],
  { lock = false } = {},
): Promise<Map<string, Product>> {
  const isNamed = sql`${products.number} = any (${sql.param([...numbers])}::text[])`;
  const query = db
    .select()
    .from(products)
    .where(and(isNamed, isNull(products.deletedAt)))
    .orderBy(products.id);
  const rows = await (lock ? query.for('no key update') : query);
  return new Map(rows.map((row) => [row.number, toProduct(row)]));
}

/** @throws Problem `invalid` if one of the names is the number of a part on sale */
export async function refuseNumbers(db: Executor, names: readonly string[] = []): Promise<void> {
  if (names.length > 0 && (await findProductsByNumber(db, names)).size > 0)
    throw invalidField('alsoKnownAs', IS_NUMBER);
}

/** @throws Problem `invalid` if it is given and not the number of a part on sale */
export async function refuseSuccessor(db: Executor, number: string | null | undefined): Promise<void> {
  if (number && (await findProductsByNumber(db, [number])).size === 0)
    throw invalidField('replacedBy', NO_PART_HAS_NUMBER);
}

/** Whose successor has the number, removed ones included, until the transaction ends. */
export async function lockReplaced(tx: Executor, number: string): Promise<Product[]> {
  const query = tx.select().from(products).where(eq(products.replacedBy, number));
  return (await query.orderBy(products.id).for('no key update')).map(toProduct);
}

/** Returns the given numbers that removed and renumbered parts had. */
export async function findFormerNumbers(db: Executor, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const given = sql`any (${sql.param([...numbers])}::text[])`;
  const former = sql<string>`${trail.before} ->> 'number'`;
  const removed = db.select({ number: products.number }).from(products);
  const renumbered = db.select({ number: former }).from(trail);
  const rows = await removed
    .where(sql`${products.number} = ${given} and ${products.deletedAt} is not null`)
    .union(
      renumbered.where(
        and(eq(trail.topic, 'products'), eq(trail.event, 'product-changed'), sql`${former} = ${given}`),
      ),
    );
  return new Set(rows.map(({ number }) => number));
}

/** Numbers on sale that are figures: a spreadsheet turns `00123` into 123 and `1E5` into 100000. */
export async function findNumericNumbers(db: Executor): Promise<string[]> {
  const rows = await db
    .select({ number: products.number })
    .from(products)
    .where(and(sql`${products.number} ~ '^[0-9]+([.][0-9]+)?(E[+]?[0-9]+)?$'`, isNull(products.deletedAt)));
  return rows.map(({ number }) => number);
}

/** On sale; ignores case and marks. */
export async function findPartId(db: Executor, number: string): Promise<string | null> {
  const [row] = await db
    .select({ id: products.id })
    .from(products)
    .where(
      and(sql`compact_number(${products.number}) = compact_number(${number})`, isNull(products.deletedAt)),
    )
    .orderBy(sql`${products.number} <> upper(${number}), ${products.number}`)
    .limit(1);
  return row?.id ?? null;
}

/** Part numbers that differ by marks and at most one character. Null without a digit: rather a word. */
export function isNearNumber(text: string): SQL | null {
  const number = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (number.length < MIN_PART_NUMBER || number.length > MAX_PART_NUMBER || !/\d/.test(number)) return null;
  const near = sql.param([number, ...listNearNumbers(number)]);
  return sql`compact_number(${products.number}) = any (${near}::text[])`;
}

/**
 * The most similar number on sale, up to marks and one character.
 * @param number in the form of part numbers
 */
export async function findNearNumber(db: Executor, number: string): Promise<string | null> {
  const isNear = isNearNumber(number);
  if (isNear === null) return null;
  const [row] = await db
    .select({ number: products.number })
    .from(products)
    .where(and(isNear, isNull(products.deletedAt)))
    .orderBy(sql`similarity(${products.number}, ${number}) desc`, products.number)
    .limit(1);
  return row?.number ?? null;
}

/** By id, deleted products included; ignores null. */
export async function findPartFacts(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<Map<string, Pick<ProductRow, 'name' | 'number' | 'quantity'>>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const { id, name, number, quantity } = products;
  const rows = await db.select({ id, name, number, quantity }).from(products).where(inArray(id, known));
  return new Map(rows.map((row) => [row.id, row]));
}

/** All words in name and number; deleted products included. */
export async function findProductIds(
  db: Executor,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  const named = sql`split_part(products.search, e'\x1f', 1) || ' ' || split_part(products.search, e'\x1f', 2)`;
  const patterns = words.map(containsPattern);
  // The first uses the index, the second rechecks.
  const matches = patterns.flatMap((pattern) => [
    sql`products.search like ${pattern}`,
    sql`${named} like ${pattern}`,
  ]);
  const rows = await db
    .select({ id: products.id })
    .from(products)
    .where(and(...matches))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * In the transaction that writes parts with these models. Idempotent. Sorted, so that concurrent writers of
 * the same models do not deadlock.
 */
export async function notePhoneModels(tx: Executor, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await tx.execute(sql`
    insert into ${phoneModels} (name, model)
    select distinct name, normalize_search(name) from unnest(${sql.param(names)}::text[]) as name order by name
    on conflict do nothing`);
}

/** Returns at most ten of the names that no part has had. */
export async function findNewModels(db: Executor, names: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct given as name from unnest(${sql.param([...names])}::text[]) as given
    where not exists (select from ${phoneModels} where ${phoneModels.name} = given) order by given limit 10`);
  return rows.map(({ name }) => name);
}

/**
 * The caller notes its phone models.
 * @param part with pictures as accepted by the image host
 * @throws Problem `number-taken`
 */
export async function insertProduct(
  tx: Executor,
  id: string,
  { price, images, priceBreaks, ...fields }: NewProduct,
  now: Date,
): Promise<void> {
  const values = {
    ...fields,
    id,
    priceCents: toCents(price),
    moreImages: images?.slice(1),
    priceBreaks: priceBreaks && toBreakRows(priceBreaks),
    createdAt: now,
    updatedAt: now,
  } as typeof products.$inferInsert;
  // A concurrent insert may take the generated number.
  do {
    const rows = await tx
      .insert(products)
      .values(values)
      .onConflictDoNothing({ target: products.number, where: isNull(products.deletedAt) })
      .returning({ id: products.id });
    if (rows.length > 0) return;
  } while (fields.number === undefined);
  throw new Problem('number-taken');
}

/**
 * Until the transaction ends. The weaker lock of an update does not block foreign keys.
 * @throws Problem `not-found` when missing or deleted
 */
export async function lockProduct(tx: Executor, id: string): Promise<Product> {
  const [row] = await tx
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .for('no key update');
  if (!row) throw new Problem('not-found');
  return toProduct(row);
}

/** All but the stock. The caller holds the lock, and notes new phone models. */
export async function updateProduct(
  tx: Executor,
  id: string,
  { price, images, priceBreaks, ...fields }: EditedPart & { version: number },
  now: Date,
): Promise<Product> {
  return updateLocked(tx, id, {
    ...fields,
    priceCents: toCents(price),
    moreImages: images.slice(1),
    priceBreaks: toBreakRows(priceBreaks),
    updatedAt: now,
  });
}

/** The caller holds the product's lock. */
export const setStock = (tx: Executor, id: string, quantity: number, now: Date): Promise<Product> =>
  updateLocked(tx, id, { quantity, updatedAt: now });

async function updateLocked(tx: Executor, id: string, fields: Partial<ProductRow>): Promise<Product> {
  const [row] = await tx.update(products).set(fields).where(eq(products.id, id)).returning();
  if (!row) throw new Error('The product whose lock is held is gone.');
  return toProduct(row);
}

/** False when missing or deleted. Orders keep their copies. */
export async function markProductDeleted(db: Executor, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(products)
    .set({ deletedAt: now, updatedAt: now })
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .returning({ id: products.id });
  return rows.length > 0;
}

/**
 * Also for deleted products. The caller publishes `product:<id>` and `products`.
 * @param quantity pieces
 */
export async function returnStock(tx: Executor, id: string, quantity: number, now: Date): Promise<void> {
  await tx
    .update(products)
    .set({ quantity: sql`${products.quantity} + ${quantity}`, updatedAt: now })
    .where(eq(products.id, id));
}

/** Lists pictures of deleted products, too. */
export async function listProductImages(db: Executor): Promise<string[]> {
  const rows = await db
    .selectDistinct({
      image: sql<string>`unnest(array_prepend(${products.image}, ${products.moreImages}))`,
    })
    .from(products);
  return rows.map(({ image }) => image);
}

/**
 * Locks in the order of ids, as a batch does.
 * @returns the ids of the changed products
 */
export async function replaceProductImage(tx: Executor, from: string, to: string): Promise<string[]> {
  const locked = await tx
    .select({ id: products.id })
    .from(products)
    .where(or(eq(products.image, from), sql`${from} = any (${products.moreImages})`))
    .orderBy(products.id)
    .for('no key update');
  const ids = locked.map(({ id }) => id);
  await tx
    .update(products)
    .set({
      image: sql`case when ${products.image} = ${from} then ${to} else ${products.image} end`,
      moreImages: sql`array_replace(${products.moreImages}, ${from}, ${to})`,
    })
    .where(inArray(products.id, ids));
  return ids;
}

export async function insertStockNote(tx: Executor, entryId: string, note: string): Promise<void> {
  await tx.insert(stockNotes).values({ entryId, note });
}
