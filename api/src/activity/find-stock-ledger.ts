import { COUNTED_TO, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import type { StockMove } from '@parts-forge/contract/events/trail';
import { type StockEvent, stockKinds } from '@parts-forge/contract/events/trail-events';
import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { orders } from '#src/orders/schema.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { readCursor } from '#src/platform/database/cursor.ts';
import type { Page, PageRequest } from '#src/platform/database/find-page.ts';
import { type Actor, seesOthers } from '#src/platform/http/calls/access.ts';
import { stockNotes } from '#src/products/schema.ts';
import { findPartFacts } from '#src/products/store.ts';
import { trail } from '#src/trail/schema.ts';
import { findPeople, type PersonName } from '#src/users/store.ts';
import { describeActor } from './describe-actor.ts';

const movesStock = (productId: string) => and(eq(trail.productId, productId), isNotNull(trail.stockChange));
/** Only since the ledger began. */
const tookStock = (productId: string) =>
  and(eq(orders.productId, productId), sql`not ${orders.beforeLedger}`);

/**
 * A product's ledger, newest first: trail entries and orders, merged by their ids, which rise with time. The
 * balance is counted back from the current stock; the cursor carries it, so that pages stay right while the
 * stock changes. A key that reads no orders gets the figures alone.
 * @throws Problem `not-found`; `invalid` for an unknown cursor
 */
export function findStockLedger(
  db: Drizzle,
  reader: Pick<Actor, 'key'>,
  productId: string,
  { limit = PAGE_LIMIT, after, withoutTotal = false }: PageRequest,
): Promise<Page<StockMove>> {
  const [lastId, lastBalance] = readCursor(after, ['id', 'integer']) ?? [];
  return db.transaction(
    async (tx) => {
      const part = (await findPartFacts(tx, [productId])).get(productId);
      if (!part) throw new Problem('not-found');
      // One more shows whether another page follows.
      const lines = await findLines(tx, productId, lastId === undefined ? null : String(lastId), limit + 1);
      const people = await findPeople(
        tx,
        lines.map(({ actorId }) => actorId),
      );
      const shown = lines.slice(0, limit);
      const begin = lastBalance === undefined ? part.quantity : Number(lastBalance);
      const { moves, balance } = countBack(shown, begin, people);
      const last = shown.at(-1);
      return {
        rows: seesOthers(reader) ? moves : moves.map(toFigures),
        next: lines.length > limit && last ? [last.id, balance] : null,
        total: withoutTotal ? 0 : await countLines(tx, productId),
      };
    },
    // One snapshot for stock and lines.
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

type Line = Awaited<ReturnType<typeof findLines>>[number];

function findLines(tx: Executor, productId: string, olderThan: string | null, limit: number) {
  const entries = tx
    .select({
      id: sql<string>`${trail.id}`.as('id'),
      at: trail.createdAt,
      event: sql<StockEvent | 'ordered'>`${trail.event}`,
      change: sql<number>`${trail.stockChange}`,
      orderId: trail.orderId,
      actor: trail.actor,
      actorId: trail.actorId,
      note: stockNotes.note,
      orderNumber: sql<number | null>`${orders.number}`,
    })
    .from(trail)
    .leftJoin(stockNotes, eq(stockNotes.entryId, trail.id))
    .leftJoin(orders, eq(orders.id, trail.orderId))
    .where(and(movesStock(productId), olderThan ? lt(trail.id, olderThan) : undefined))
    .orderBy(desc(trail.id))
    .limit(limit);
  const placings = tx
    .select({
      id: sql<string>`${orders.id}`.as('id'),
      at: orders.createdAt,
      event: sql<StockEvent | 'ordered'>`'ordered'`,
      change: sql<number>`- ${orders.quantity}`,
      orderId: sql<string | null>`${orders.id}`,
      actor: sql<typeof trail.$inferSelect.actor>`'user'`,
      actorId: sql<string | null>`${orders.userId}`,
      note: sql<string | null>`null::text`,
      orderNumber: sql<number | null>`${orders.number}`,
    })
    .from(orders)
    .where(and(tookStock(productId), olderThan ? lt(orders.id, olderThan) : undefined))
    .orderBy(desc(orders.id))
    .limit(limit);
  return unionAll(entries, placings).orderBy(sql`id desc`).limit(limit);
}

const toFigures = ({ at, kind, change, balance }: StockMove): StockMove => ({ at, kind, change, balance });

/** @returns the moves, and the balance before the last of them */
function countBack(
  lines: readonly Line[],
  begin: number,
  people: ReadonlyMap<string, PersonName>,
): { moves: StockMove[]; balance: number } {
  let balance = begin;
  const moves = lines.map((line): StockMove => {
    const move = {
      at: line.at.toISOString(),
      kind: line.event === 'ordered' ? ('order' as const) : stockKinds[line.event],
      change: line.change,
      balance,
      ...(line.orderId !== null && { order: line.orderId }),
      ...(line.orderNumber !== null && { orderNumber: line.orderNumber }),
      by: describeActor(line, people),
      ...(line.note !== null && { note: line.note }),
    };
    balance -= line.change;
    return move;
  });
  return { moves, balance };
}

/** Stops above `COUNTED_TO`, to bound the cost. */
async function countLines(tx: Executor, productId: string): Promise<number> {
  const limit = COUNTED_TO + 1;
  const entries = tx.select({ one: sql`1` }).from(trail).where(movesStock(productId)).limit(limit);
  const placings = tx.select({ one: sql`1` }).from(orders).where(tookStock(productId)).limit(limit);
  return (await tx.$count(entries.as('entries'))) + (await tx.$count(placings.as('placings')));
}
