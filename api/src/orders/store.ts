import { amountOf } from '@parts-forge/contract/money';
import { MAX_TOTAL_CENTS, type Order, type OrderStatus } from '@parts-forge/contract/orders';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { orderKeys, orders } from '#src/db/schema.ts';
import type { Database, Executor } from '#src/platform/database/connection.ts';
import { contains, countUpTo } from '#src/platform/database/search.ts';
import { type Page, pageOf, readCursor } from '#src/platform/http/paging.ts';

export type OrderRow = typeof orders.$inferSelect;

/** A row as the wire shows it. */
export function toOrder(row: OrderRow): Order {
  return {
    _id: row.id,
    productId: row.productId,
    productName: row.productName,
    image: row.image,
    name: row.name,
    email: row.email,
    address: row.address,
    phone: row.phone,
    quantity: row.quantity,
    totalPrice: amountOf(row.totalCents),
    status: row.status,
    ...(row.transactionId !== null && { transactionId: row.transactionId }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export interface OrderPlacement {
  id: string;
  userId: string;
  name: string;
  email: string;
  address: string;
  phone: string;
  productId: string;
  quantity: number;
  totalCents: number;
  now: Date;
  /** Null when the customer sent none. */
  key: { text: string; bodyHash: Buffer } | null;
}

/**
 * Stock, order and key in one statement, which is a transaction of its own: one round trip, the
 * product's row locked for as short as can be, and either everything or nothing. Its text is known outside so that it
 * can be measured without the shop.
 */
export const takeStockAndWrite = `
  with taken as (
    update products set quantity = quantity - $3, updated_at = $4
    where id = $2 and deleted_at is null and minimum_order <= $3 and quantity >= $3
      and price_cents::bigint * $3 = $5::bigint and $5 <= ${MAX_TOTAL_CENTS}
    returning id, name, image, price_cents
  ), placed as (
    insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
      quantity, total_cents, created_at, updated_at)
    select $1, $6, id, name, image, price_cents, $7, $8, $9, $10, $3, $5, $4, $4 from taken
    returning id
  ), keyed as (
    insert into order_keys (user_id, key, body_hash, order_id, created_at)
    select $6, $11, $12, id, $4 from placed where $11::text is not null
  )
  select id from placed`;

/**
 * Takes the stock and writes the order, or does neither. False when a condition did not hold: the product is
 * there, the quantity between minimum order and stock, the total quantity times the present price.
 * @throws a unique violation of `order_keys` when the key was used before; nothing is written then
 */
export async function takeStockAndWriteOrder({ pool }: Database, order: OrderPlacement): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'place-order',
    text: takeStockAndWrite,
    values: [
      order.id,
      order.productId,
      order.quantity,
      order.now,
      order.totalCents,
      order.userId,
      order.name,
      order.email,
      order.address,
      order.phone,
      order.key?.text ?? null,
      order.key?.bodyHash ?? null,
    ],
  });
  return rowCount === 1;
}

/** What an idempotency key of this customer was used for; null when it was not. */
export async function findOrderKey(db: Executor, userId: string, key: string) {
  const [row] = await db
    .select({ bodyHash: orderKeys.bodyHash, orderId: orderKeys.orderId })
    .from(orderKeys)
    .where(and(eq(orderKeys.userId, userId), eq(orderKeys.key, key)));
  return row ?? null;
}

/** The order, whosever it is; null when there is none or it was cancelled. Compare its owner before using it. */
export async function findOrder(db: Executor, id: string): Promise<OrderRow | null> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), isNull(orders.cancelledAt)));
  return row ?? null;
}

export interface OrderSearch {
  limit: number;
  after: string | undefined;
  /** Orders of one account. */
  userId?: string | undefined;
  /** Orders that were placed under an address, also by accounts that are gone. */
  email?: string | undefined;
  status?: OrderStatus | undefined;
  q?: string | undefined;
}

/**
 * One page of the orders that are not cancelled, newest first. `q` matches anywhere in part, name or email.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export async function findOrders(db: Executor, search: OrderSearch): Promise<Page<OrderRow>> {
  const cursor = readCursor(search.after, ['instant', 'id']);
  const matches = and(
    isNull(orders.cancelledAt),
    search.userId ? eq(orders.userId, search.userId) : undefined,
    search.email ? sql`lower(${orders.email}) = lower(${search.email})` : undefined,
    search.status ? eq(orders.status, search.status) : undefined,
    search.q
      ? sql`lower(${orders.productName} || ' ' || ${orders.name} || ' ' || ${orders.email}) like lower(${contains(search.q)})`
      : undefined,
  );
  const behind = cursor
    ? sql`(${orders.createdAt}, ${orders.id}) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`
    : undefined;
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(orders)
      .where(and(matches, behind))
      .orderBy(sql`${orders.createdAt} desc, ${orders.id} desc`)
      .limit(search.limit + 1),
    countUpTo(db, sql`select 1 from ${orders} where ${matches}`),
  ]);
  return pageOf(rows, search.limit, total, (row) => [row.createdAt.toISOString(), row.id]);
}
