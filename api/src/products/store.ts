import { toAmount } from '@parts-forge/contract/money';
import type { ProductSort } from '@parts-forge/contract/part-rules';
import type { NewProduct, Product } from '@parts-forge/contract/products';
import { and, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm';
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
    priceBreaks: row.priceBreaks.map(({ quantity, priceCents }) => ({
      quantity,
      price: toAmount(priceCents),
    })),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

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

/**
 * Parts on sale with fewer than so many minimum orders left, the scarcest first. It looks at every part: an index on the
 * stock would have to be written with every order.
 */
export async function findScarceProducts(
  db: Executor,
  minimumOrders: number,
  limit: number,
): Promise<Product[]> {
  const rows = await db
    .select()
    .from(products)
    .where(
      and(
        isNull(products.deletedAt),
        sql`${products.quantity} < ${products.minimumOrder} * ${minimumOrders}::bigint`,
      ),
    )
    .orderBy(sql`${products.quantity}::float8 / ${products.minimumOrder}`, products.id)
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
