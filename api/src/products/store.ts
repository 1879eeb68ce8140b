import { amountOf } from '@parts-forge/contract/money';
import type { ProductSort } from '@parts-forge/contract/part-rules';
import type { NewProduct, Product } from '@parts-forge/contract/products';
import { and, eq, gte, isNull, type SQL, sql } from 'drizzle-orm';
import { orders, products } from '#src/db/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { contains, countUpTo } from '#src/platform/database/search.ts';
import {
  type CursorPart,
  type CursorShape,
  type Page,
  pageOf,
  readCursor,
} from '#src/platform/http/paging.ts';

type Row = typeof products.$inferSelect;

/** A row as the wire shows it. */
export function toProduct(row: Row): Product {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    price: amountOf(row.priceCents),
    quantity: row.quantity,
    minimumOrder: row.minimumOrder,
    image: row.image,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** How each order of the list runs: what it is sorted by, and how a cursor goes on behind a row. */
const sorts: Record<
  ProductSort,
  {
    shape: CursorShape;
    key: (row: Row) => CursorPart[];
    behind: (cursor: CursorPart[]) => SQL;
    order: SQL;
  }
> = {
  newest: {
    shape: ['instant', 'id'],
    key: (row) => [row.createdAt.toISOString(), row.id],
    behind: ([at, id]) => sql`(${products.createdAt}, ${products.id}) < (${at}::timestamptz, ${id}::uuid)`,
    order: sql`${products.createdAt} desc, ${products.id} desc`,
  },
  name: {
    shape: ['text', 'id'],
    key: (row) => [row.name, row.id],
    behind: ([name, id]) => sql`(lower(${products.name}), ${products.id}) > (lower(${name}), ${id}::uuid)`,
    order: sql`lower(${products.name}), ${products.id}`,
  },
  price: {
    shape: ['integer', 'id'],
    key: (row) => [row.priceCents, row.id],
    behind: ([cents, id]) => sql`(${products.priceCents}, ${products.id}) > (${cents}::integer, ${id}::uuid)`,
    order: sql`${products.priceCents}, ${products.id}`,
  },
  '-price': {
    shape: ['integer', 'id'],
    key: (row) => [row.priceCents, row.id],
    behind: ([cents, id]) => sql`(${products.priceCents}, ${products.id}) < (${cents}::integer, ${id}::uuid)`,
    order: sql`${products.priceCents} desc, ${products.id} desc`,
  },
};

export interface ProductSearch {
  limit: number;
  after: string | undefined;
  q: string | undefined;
  available: boolean;
  sort: ProductSort;
}

/**
 * One page of the products that are not deleted.
 * @throws Problem `invalid` for a cursor that is not of this sort
 */
export async function findProducts(db: Executor, search: ProductSearch): Promise<Page<Row>> {
  const sort = sorts[search.sort];
  const cursor = readCursor(search.after, sort.shape);
  const matches = and(
    isNull(products.deletedAt),
    search.q ? sql`lower(${products.name}) like lower(${contains(search.q)})` : undefined,
    search.available ? gte(products.quantity, products.minimumOrder) : undefined,
  );
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(products)
      .where(and(matches, cursor ? sort.behind(cursor) : undefined))
      .orderBy(sort.order)
      .limit(search.limit + 1),
    countUpTo(db, sql`select 1 from ${products} where ${matches}`),
  ]);
  return pageOf(rows, search.limit, total, sort.key);
}

/** The product; null when there is none or it was deleted. */
export async function findProduct(db: Executor, id: string): Promise<Row | null> {
  const [row] = await db
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.deletedAt)));
  return row ?? null;
}

/** @param image as the image host accepted it */
export async function insertProduct(
  db: Executor,
  product: Omit<NewProduct, 'price'> & { id: string; priceCents: number; now: Date },
): Promise<void> {
  const { now, ...values } = product;
  await db.insert(products).values({ ...values, createdAt: now, updatedAt: now });
}

/** Sets the stock in pieces; null when there is no such product. */
export async function setStock(db: Executor, id: string, quantity: number, now: Date): Promise<Row | null> {
  const [row] = await db
    .update(products)
    .set({ quantity, updatedAt: now })
    .where(and(eq(products.id, id), isNull(products.deletedAt)))
    .returning();
  return row ?? null;
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

/** Whether the customer has an order of the product that is not cancelled. */
export async function hasOrdered(db: Executor, userId: string, productId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.productId, productId), eq(orders.userId, userId), isNull(orders.cancelledAt)))
    .limit(1);
  return row !== undefined;
}
