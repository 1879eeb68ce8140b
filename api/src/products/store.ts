import { MAX_PART_NUMBER, MIN_PART_NUMBER } from '@parts-forge/contract/bounds';
import type { LiveProduct } from '@parts-forge/contract/live';
import { toAmount, toCents } from '@parts-forge/contract/money';
import type { EditedPart } from '@parts-forge/contract/product-changes';
import type { NewProduct, Product } from '@parts-forge/contract/products';
import { and, desc, eq, getTableColumns, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import { Problem } from '#src/platform/core/problem.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { containsPattern } from '#src/platform/database/find-page.ts';
import { listNearNumbers } from './near-numbers.ts';
import { type PriceBreakRow, products, scarceProducts, stockNotes } from './schema.ts';

export type ProductRow = typeof products.$inferSelect;

/** A row as the wire shows it. */
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
    kind: row.kind,
    fits: row.fits,
    attributes: row.attributes,
    images: [row.image, ...row.moreImages],
    orderStep: row.orderStep,
    priceBreaks: toPriceBreaks(row.priceBreaks),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const toPriceBreaks = (rows: ProductRow['priceBreaks']): Product['priceBreaks'] =>
  rows.map(({ quantity, priceCents }) => ({ quantity, price: toAmount(priceCents) }));

/** Parts on sale with fewer than `LOW_STOCK_MINIMUM_ORDERS` minimum orders left, the scarcest first. */
export async function findScarceProducts(db: Executor, limit: number): Promise<Product[]> {
  const rows = await db
    .select(getTableColumns(products))
    .from(scarceProducts)
    .innerJoin(products, eq(products.id, scarceProducts.productId))
    .orderBy(scarceProducts.minimumOrders, scarceProducts.productId)
    .limit(limit);
  return rows.map(toProduct);
}

/** The product; null when there is none or it was deleted. */
export async function findProduct(db: Executor, id: string): Promise<Product | null> {
  const [row] = await db
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)));
  return row ? toProduct(row) : null;
}

const columns = Object.entries(getTableColumns(products)).map(([key, { name }]) => `${name} as "${key}"`);
/** Prepared by its name, as a part is read again after each order of it. The driver's types are the columns' own here. */
const selectOnSale = {
  name: 'find-products-on-sale',
  text: `select ${columns.join(', ')} from products where id = any ($1::uuid[]) and deleted_at is null`,
};

/** Those of these products that are not deleted, by their ids in small letters. */
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

/** What moves of those of these products that are not deleted. */
export async function findLiveProducts(db: Executor, ids: readonly string[]): Promise<LiveProduct[]> {
  const rows = await db
    .select({
      id: products.id,
      quantity: products.quantity,
      priceCents: products.priceCents,
      priceBreaks: products.priceBreaks,
    })
    .from(products)
    .where(and(inArray(products.id, [...ids]), isNull(products.deletedAt)));
  return rows.map(({ id, quantity, priceCents, priceBreaks }) => ({
    _id: id,
    quantity,
    price: toAmount(priceCents),
    priceBreaks: toPriceBreaks(priceBreaks),
  }));
}

/** Ids and names of the newest products that are not deleted. */
export function findNewestNames(db: Executor, limit: number): Promise<{ _id: string; name: string }[]> {
  return db
    .select({ _id: products.id, name: products.name })
    .from(products)
    .where(isNull(products.deletedAt))
    .orderBy(desc(products.createdAt), desc(products.id))
    .limit(limit);
}

/** Products by their ids, deleted ones too; what is no product is left out. */
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

/** The products on sale with these part numbers, by number. */
export async function findProductsByNumber(
  db: Executor,
  numbers: readonly string[],
): Promise<Map<string, Product>> {
  const rows = await db
    .select()
    .from(products)
    .where(and(inArray(products.number, [...numbers]), isNull(products.deletedAt)));
  return new Map(rows.map((row) => [row.number, toProduct(row)]));
}

/** The id of the part on sale with this number, compared without regard to case and marks; null when there is none. */
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

/**
 * A condition on parts: a text was meant to be their number, but for marks and one character. Null for a text without a
 * digit, which is likelier a word.
 */
export function isNearNumber(text: string): SQL | null {
  const number = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (number.length < MIN_PART_NUMBER || number.length > MAX_PART_NUMBER || !/\d/.test(number)) return null;
  const near = sql.param([number, ...listNearNumbers(number)]);
  return sql`compact_number(${products.number}) = any (${near}::text[])`;
}

/**
 * The part number on sale that a text was meant to be which is none, but for marks and one character; of several the one
 * that is most like it, null when there is none.
 * @param number as part numbers are written
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

/** The stock in pieces, also of a deleted product; null when there is no such product. */
export async function findStock(db: Executor, id: string): Promise<number | null> {
  const [row] = await db.select({ quantity: products.quantity }).from(products).where(eq(products.id, id));
  return row?.quantity ?? null;
}

/** The names of these products by id, deleted ones too; null names none. */
export async function findProductNames(
  db: Executor,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = await db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(inArray(products.id, known));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What papers say of these products by id, deleted ones too. */
export async function findPartFacts(db: Executor, ids: readonly string[]): Promise<Map<string, PartFacts>> {
  const rows = await db
    .select({ id: products.id, number: products.number, priceBreaks: products.priceBreaks })
    .from(products)
    .where(inArray(products.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
export type PartFacts = Pick<ProductRow, 'number' | 'priceBreaks'>;

/** Ids of products whose name and number have all words, deleted ones too. */
export async function findProductIds(
  db: Executor,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  const named = sql`split_part(products.search, e'\x1f', 1) || ' ' || split_part(products.search, e'\x1f', 2)`;
  const patterns = words.map(containsPattern);
  // The first is asked of the index, and the second of what was found.
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

interface NewRow extends Omit<NewProduct, 'price' | 'images' | 'priceBreaks'> {
  id: string;
  priceCents: number;
  priceBreaks?: PriceBreakRow[] | undefined;
  moreImages?: string[] | undefined;
  now: Date;
}

/**
 * Writes a part; what is absent has its column's default.
 * @param image as the image host accepted it, like `moreImages`
 * @throws Problem `number-taken`
 */
export async function insertProduct(db: Executor, { now, ...fields }: NewRow): Promise<void> {
  const values = { ...fields, createdAt: now, updatedAt: now } as typeof products.$inferInsert;
  // The next number of the shop may be given to a part by hand at this very moment: then it is the one after.
  do {
    const rows = await db
      .insert(products)
      .values(values)
      .onConflictDoNothing({ target: products.number, where: isNull(products.deletedAt) })
      .returning({ id: products.id });
    if (rows.length > 0) return;
  } while (fields.number === undefined);
  throw new Problem('number-taken');
}

/**
 * The product, held until the transaction ends; null when there is none or it was deleted. Held as an update holds it, so
 * that rows which refer to it, such as lines of a batch, need not wait.
 */
export async function lockProduct(tx: Executor, id: string): Promise<Product | null> {
  const [row] = await tx
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .for('no key update');
  return row ? toProduct(row) : null;
}

/** Sets all fields of a part but its stock. The caller holds its lock. */
export async function updateProduct(
  tx: Executor,
  id: string,
  { price, images, priceBreaks, ...fields }: EditedPart & { version: number },
  now: Date,
): Promise<Product> {
  const [row] = await tx
    .update(products)
    .set({
      ...fields,
      priceCents: toCents(price),
      moreImages: images.slice(1),
      priceBreaks: priceBreaks.map((each) => ({ quantity: each.quantity, priceCents: toCents(each.price) })),
      updatedAt: now,
    })
    .where(eq(products.id, id))
    .returning();
  if (!row) throw new Error('The product whose lock is held is gone.');
  return toProduct(row);
}

/** The stock in pieces, held until the transaction ends; null when there is no such product. */
export async function lockStock(tx: Executor, id: string): Promise<number | null> {
  const [row] = await tx
    .select({ quantity: products.quantity })
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .for('no key update');
  return row?.quantity ?? null;
}

/** Sets the stock in pieces. The caller holds the product's lock. */
export async function setStock(tx: Executor, id: string, quantity: number, now: Date): Promise<Product> {
  const [row] = await tx
    .update(products)
    .set({ quantity, updatedAt: now })
    .where(eq(products.id, id))
    .returning();
  if (!row) throw new Error('The product whose lock is held is gone.');
  return toProduct(row);
}

/** Hides the product from every list; false when there is no such product. Orders keep their copies. */
export async function markProductDeleted(db: Executor, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(products)
    .set({ deletedAt: now, updatedAt: now })
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .returning({ id: products.id });
  return rows.length > 0;
}

/**
 * Puts pieces back that an order had taken, also when the product was deleted meanwhile: its stock stays right. The
 * caller says `product:<id>` and `products` have changed.
 * @param quantity pieces
 */
export async function returnStock(tx: Executor, id: string, quantity: number, now: Date): Promise<void> {
  await tx
    .update(products)
    .set({ quantity: sql`${products.quantity} + ${quantity}`, updatedAt: now })
    .where(eq(products.id, id));
}

/** Every picture that a part has, deleted ones included. */
export async function listProductImages(db: Executor): Promise<string[]> {
  const rows = await db
    .selectDistinct({
      image: sql<string>`unnest(array_prepend(${products.image}, ${products.moreImages}))`,
    })
    .from(products);
  return rows.map(({ image }) => image);
}

/**
 * Gives all parts with one picture another in its place; nothing else of them changes. They are locked in the order of
 * their ids, as a batch locks its parts.
 * @returns their ids
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

/** What an administrator noted about a move of the stock, by its entry of the trail. */
export async function insertStockNote(tx: Executor, entryId: string, note: string): Promise<void> {
  await tx.insert(stockNotes).values({ entryId, note });
}

/** A part as far as a change of many looks at it. */
export type BulkPart = Pick<
  ProductRow,
  'id' | 'number' | 'name' | 'image' | 'quantity' | 'priceCents' | 'priceBreaks' | 'version'
>;

/** The parts on sale with these numbers, in the order of their ids. @param lock held until the transaction ends */
export async function findBulkParts(
  db: Executor,
  numbers: readonly string[],
  { lock = false } = {},
): Promise<BulkPart[]> {
  const { id, number, name, image, quantity, priceCents, priceBreaks, version } = getTableColumns(products);
  const query = db
    .select({ id, number, name, image, quantity, priceCents, priceBreaks, version })
    .from(products)
    .where(and(inArray(products.number, numbers), isNull(products.deletedAt)))
    .orderBy(products.id);
  return lock ? query.for('no key update') : query;
}

/** Sets stock, price and version of parts, in one statement. The caller holds their locks. */
export async function updateBulkParts(
  tx: Executor,
  parts: readonly Pick<ProductRow, 'id' | 'quantity' | 'priceCents' | 'version'>[],
  now: Date,
): Promise<void> {
  if (parts.length === 0) return;
  await tx.execute(sql`
    update products set quantity = part.quantity, price_cents = part."priceCents", version = part.version,
      updated_at = ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
      as part (id uuid, quantity integer, "priceCents" integer, version integer)
    where products.id = part.id`);
}
