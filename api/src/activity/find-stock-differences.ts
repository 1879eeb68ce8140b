import { sql } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from '#src/products/schema.ts';
import { trail } from '#src/trail/schema.ts';

const PRODUCTS_PER_STATEMENT = 200;

export interface StockDifference {
  productId: string;
  stock: number;
  ledger: number;
}

/**
 * Products whose stock differs from their ledger, by id, deleted ones included. Reads every ledger, from
 * indexes only.
 * @param limit the search stops there
 * @param among ids; all without
 */
export async function findStockDifferences(
  db: Executor,
  limit: number,
  among?: readonly string[],
): Promise<StockDifference[]> {
  const differences: StockDifference[] = [];
  let after: string | null = null;
  do {
    const sums: LedgerSum[] = await sumLedgers(db, after, among);
    for (const { id, stock, ledger } of sums) {
      if (stock !== ledger) differences.push({ productId: id, stock, ledger });
    }
    after = sums.at(-1)?.id ?? null;
  } while (after !== null && differences.length < limit);
  return differences.slice(0, limit);
}

type LedgerSum = { id: string; stock: number; ledger: number };

/** One statement, so that concurrent orders make no difference. */
async function sumLedgers(
  db: Executor,
  after: string | null,
  among?: readonly string[],
): Promise<LedgerSum[]> {
  const isAmong = among ? sql`id = any(${sql.param(among)}::uuid[])` : sql`true`;
  // PostgreSQL sums integers as bigint, which arrives as text.
  const { rows } = await db.execute<{ id: string; stock: number; ledger: string }>(sql`
    select id, quantity as stock, (
      coalesce((select sum(${trail.stockChange}) from ${trail} where ${trail.productId} = chunk.id), 0)
      - coalesce((select sum(${orders.quantity}) from ${orders}
          where ${orders.productId} = chunk.id and not ${orders.beforeLedger}), 0)
    )::bigint as ledger
    from (
      select id, quantity from ${products} where ${after === null ? sql`true` : sql`id > ${after}`} and ${isAmong}
      order by id limit ${PRODUCTS_PER_STATEMENT}
    ) as chunk
    order by id`);
  return rows.map((row) => ({ ...row, ledger: Number(row.ledger) }));
}
