import { ORDER_STATUSES } from '@parts-forge/contract/order-states';
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, createdAt, instant, updatedAt } from '#src/platform/database/columns.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';

export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    productName: text('product_name').notNull(),
    image: text('image').notNull(),
    priceCents: integer('price_cents').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    address: text('address').notNull(),
    phone: text('phone').notNull(),
    quantity: integer('quantity').notNull(),
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    currency: text('currency').notNull().default('usd'),
    status: text('status', { enum: ORDER_STATUSES }).notNull().default('due'),
    transactionId: text('transaction_id').unique('orders_transaction'),
    /** Number of the current attempt to open a payment; part of the idempotency key toward the provider. */
    payAttempt: integer('pay_attempt').notNull().default(1),
    cancelledAt: instant('cancelled_at'),
    createdAt,
    updatedAt,
  },
  (t) => [
    index('orders_mine').on(t.userId, t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_newest').on(t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_status').on(t.status, t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_product').on(t.productId),
    index('orders_email').on(sql`lower(${t.email})`, t.createdAt, t.id).where(sql`${t.cancelledAt} is null`),
    index('orders_search').using(
      'gin',
      sql`(lower(${t.productName} || ' ' || ${t.name} || ' ' || ${t.email})) gin_trgm_ops`,
    ),
    check(
      'orders_status_known',
      sql`${t.status} in (${sql.raw(ORDER_STATUSES.map((status) => `'${status}'`).join(', '))})`,
    ),
    check('orders_paid_by', sql`(${t.status} = 'due') = (${t.transactionId} is null)`),
    check('orders_cancelled_due', sql`${t.cancelledAt} is null or ${t.status} = 'due'`),
    check('orders_quantity', sql`${t.quantity} > 0`),
    check('orders_total', sql`${t.totalCents} = ${t.quantity}::bigint * ${t.priceCents}`),
  ],
);

export const orderKeys = pgTable(
  'order_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    /** SHA-256 of the request's meaning, to tell a repeat from a reuse. */
    bodyHash: bytes('body_hash').notNull(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders.id),
    createdAt,
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
);
