import { sql } from 'drizzle-orm';
import { orders } from '#src/orders/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { products } from '#src/products/schema.ts';
import { trail } from '#src/trail/schema.ts';

/** Products that one statement sums up. */
const PRODUCTS_PER_STATEMENT = 200;

/** A product whose stock is not the sum of its ledger; both in pieces. */
export interface StockDifference {
  productId: string;
  stock: number;
  ledger: number;
}

/**
 * Products, deleted ones too, whose stock is not what their ledger sums up to, by id; empty when the books are right.
 * May be asked at any time: each product is looked at as it is at one moment, so orders that are being placed make no
 * difference. Reads every line of every ledger, from indexes alone, some hundred products at a time.
 * @param limit how many are given back at most; the look ends there
 */
export async function findStockDifferences(db: Executor, limit: number): Promise<StockDifference[]> {
  const differences: StockDifference[] = [];
  let after: string | null = null;
  do {
    const sums: LedgerSum[] = await sumLedgers(db, after);
    for (const { id, stock, ledger } of sums) {
      if (stock !== ledger) differences.push({ productId: id, stock, ledger });
    }
    after = sums.at(-1)?.id ?? null;
  } while (after !== null && differences.length < limit);
  return differences.slice(0, limit);
}

type LedgerSum = { id: string; stock: number; ledger: number };

/** One statement, which sees stock, entries and orders at the same moment. */
async function sumLedgers(db: Executor, after: string | null): Promise<LedgerSum[]> {
  // A sum of integers is a 64-bit one, which arrives as a text here.
  const { rows } = await db.execute<{ id: string; stock: number; ledger: string }>(sql`
    select id, quantity as stock, (
      coalesce((select sum(${trail.stockChange}) from ${trail} where ${trail.productId} = chunk.id), 0)
      - coalesce((select sum(${orders.quantity}) from ${orders}
          where ${orders.productId} = chunk.id and not ${orders.beforeLedger}), 0)
    )::bigint as ledger
    from (
      select id, quantity from ${products} where ${after === null ? sql`true` : sql`id > ${after}`}
      order by id limit ${PRODUCTS_PER_STATEMENT}
    ) as chunk
    order by id`);
  return rows.map((row) => ({ ...row, ledger: Number(row.ledger) }));
}
