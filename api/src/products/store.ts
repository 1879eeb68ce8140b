import type { LiveProduct } from '@parts-forge/contract/live';
import { toAmount } from '@parts-forge/contract/money';
import type { ProductSort } from '@parts-forge/contract/part-rules';
import type { NewProduct, Product } from '@parts-forge/contract/products';
import { and, desc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import {
  containsPattern,
  findPage,
  type Keyset,
  newestFirst,
  type Page,
  type PageRequest,
} from '#src/platform/database/find-page.ts';
import { products } from './schema.ts';

type Row = typeof products.$inferSelect;

/** A row as the wire shows it. */
function toProduct(row: Row): Product {
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

const toPriceBreaks = (rows: Row['priceBreaks']): Product['priceBreaks'] =>
  rows.map(({ quantity, priceCents }) => ({ quantity, price: toAmount(priceCents) }));

/** How the list is sorted. */
const keysets: Record<ProductSort, Keyset<Row>> = {
  newest: newestFirst(products),
  name: {
    shape: ['text', 'id'],
    readKey: (row) => [row.name, row.id],
    after: ([name, id]) => sql`(lower(${products.name}), ${products.id}) > (lower(${name}), ${id}::uuid)`,
    order: sql`lower(${products.name}), ${products.id}`,
  },
  price: {
    shape: ['integer', 'id'],
    readKey: (row) => [row.priceCents, row.id],
    after: ([cents, id]) => sql`(${products.priceCents}, ${products.id}) > (${cents}::integer, ${id}::uuid)`,
    order: sql`${products.priceCents}, ${products.id}`,
  },
  '-price': {
    shape: ['integer', 'id'],
    readKey: (row) => [row.priceCents, row.id],
    after: ([cents, id]) => sql`(${products.priceCents}, ${products.id}) < (${cents}::integer, ${id}::uuid)`,
    order: sql`${products.priceCents} desc, ${products.id} desc`,
  },
};

const matchesText = (q: string) => sql`lower(${products.name}) like lower(${containsPattern(q)})`;

export interface ProductSearch extends PageRequest {
  /** Finds the text anywhere in the name; empty means all. */
  q?: string | undefined;
  /** Leaves out what has less stock than its minimum order. */
  available: boolean;
  sort?: ProductSort | undefined;
}

/**
 * One page of the products that are not deleted.
 * @throws Problem `invalid` for a cursor that is not of this sort
 */
export function findProducts(
  db: Executor,
  { q, available, sort = 'newest', ...request }: ProductSearch,
): Promise<Page<Product>> {
  const matches = and(
    isNull(products.deletedAt),
    q ? matchesText(q) : undefined,
    available ? gte(products.quantity, products.minimumOrder) : undefined,
  );
  return findPage(db, products, request, keysets[sort], matches, toProduct);
}

/** The product; null when there is none or it was deleted. */
export async function findProduct(db: Executor, id: string): Promise<Product | null> {
  const [row] = await db
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)));
  return row ? toProduct(row) : null;
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

/** The part number on sale that is most like a text that is none; null when none is much like it. */
export async function findSimilarNumber(db: Executor, number: string): Promise<string | null> {
  const similarity = sql<number>`similarity(${products.number}, ${number})`;
  const [row] = await db
    .select({ number: products.number, similarity })
    .from(products)
    .where(isNull(products.deletedAt))
    .orderBy(sql`${similarity} desc`, products.number)
    .limit(1);
  return row && row.similarity >= MIN_SIMILARITY ? row.number : null;
}

/** Of two texts, by the runs of three characters that they share: 0 for none, 1 for all. */
const MIN_SIMILARITY = 0.5;

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

/** Ids of products whose name has the text anywhere, deleted ones too. */
export async function findProductIds(db: Executor, q: string, limit: number): Promise<string[]> {
  const rows = await db.select({ id: products.id }).from(products).where(matchesText(q)).limit(limit);
  return rows.map(({ id }) => id);
}

/** @param image as the image host accepted it */
export async function insertProduct(
  db: Executor,
  product: Omit<NewProduct, 'price'> & { id: string; priceCents: number; now: Date },
): Promise<void> {
  const { now, ...values } = product;
  await db.insert(products).values({ ...values, createdAt: now, updatedAt: now });
}

/** The stock in pieces, held until the transaction ends; null when there is no such product. */
export async function lockStock(tx: Executor, id: string): Promise<number | null> {
  const [row] = await tx
    .select({ quantity: products.quantity })
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .for('update');
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

/** Gives all parts with one picture another in its place; nothing else of them changes. @returns their ids */
export async function replaceProductImage(tx: Executor, from: string, to: string): Promise<string[]> {
  const rows = await tx
    .update(products)
    .set({
      image: sql`case when ${products.image} = ${from} then ${to} else ${products.image} end`,
      moreImages: sql`array_replace(${products.moreImages}, ${from}, ${to})`,
    })
    .where(or(eq(products.image, from), sql`${from} = any (${products.moreImages})`))
    .returning({ id: products.id });
  return rows.map(({ id }) => id);
}
