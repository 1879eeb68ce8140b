import { sql } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { payments } from './schema.ts';

/** More than so many need no more detail. */
const MAX_DIFFERENCES = 1000;

/** An order and the payment that it should be paid by. */
export interface PaymentDifference extends Record<string, unknown> {
  order: string | null;
  payment: string | null;
  reason: string;
}

/**
 * Orders that are paid for without exactly one payment of their total that was applied to them, and applied payments of
 * orders that do not know them. Reads both tables as they are at one moment. At most 1,000.
 */
export async function findPaymentDifferences(db: Executor): Promise<PaymentDifference[]> {
  const { rows } = await db.execute<Record<'order' | 'payment', string | null> & { hasBoth: boolean }>(sql`
    select o.id as "order", coalesce(p.id, o.transaction_id) as payment, o.transaction_id = p.id as "hasBoth"
    from (select * from ${orders} where transaction_id is not null) o
    full join (select * from ${payments} where state = 'applied') p on p.order_id = o.id
    where o.transaction_id is distinct from p.id
      or p.amount_cents <> o.total_cents or p.currency <> o.currency
    limit ${MAX_DIFFERENCES}`);
  return rows.map(({ order, payment, hasBoth }) => ({
    order,
    payment,
    reason: hasBoth
      ? 'the payment is not the total of the order'
      : 'the order and its applied payment differ',
  }));
}
