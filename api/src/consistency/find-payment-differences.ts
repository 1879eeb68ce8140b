import { sql } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import { payments } from '#src/payments/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';

export interface PaymentDifference extends Record<string, unknown> {
  order: string | null;
  payment: string | null;
  reason: string;
}

/**
 * Paid orders without exactly one applied payment of their total, and applied payments unknown to their
 * orders. One statement sees no concurrent change.
 */
export async function findPaymentDifferences(db: Executor, limit: number): Promise<PaymentDifference[]> {
  const { rows } = await db.execute<PaymentDifference>(sql`
    select o.id as "order", coalesce(p.id, o.transaction_id) as payment, case when o.transaction_id = p.id
      then 'the payment is not the total of the order' else 'the order and its applied payment differ' end as reason
    from (select * from ${orders} where transaction_id is not null) o
    full join (select * from ${payments} where state = 'applied') p on p.order_id = o.id
    where o.transaction_id is distinct from p.id
      or p.amount_cents <> o.total_cents or p.currency <> o.currency
    limit ${limit}`);
  return rows;
}
