import type { LineProblem } from '@parts-forge/contract/calls/problem-body';
import { toCents } from '@parts-forge/contract/money/money';
import { type CheckedBatchRequest, placeBatch as placeBatchCall } from '@parts-forge/contract/orders/batch';
import { Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { buildPlacement } from './build-placement.ts';
import { explainRefusal, findOrderables } from './explain-refusal.ts';
import { placeOrRefuse } from './place-or-refuse.ts';
import { findBatch } from './store.ts';
import { type IdempotencyKey, takeStockAndWriteOrders } from './take-stock.ts';

export interface PlacedBatch {
  batch: string;
  insertedIds: string[];
}

/**
 * docs/reference/calls.md, "POST /order/batch". Idempotent by `idempotencyKey`.
 * @throws Problem: the first in the contract's order, with every refused line in `lines`
 */
export async function placeBatch(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids'>,
  customer: Customer,
  request: CheckedBatchRequest,
  idempotencyKey: string | undefined,
): Promise<PlacedBatch> {
  const { database } = platform;
  return placeOrRefuse(platform, customer, {
    call: placeBatchCall,
    email: request.email,
    idempotencyKey,
    content: listContent(request),
    place: (key) => tryToPlace(platform, customer, request, key),
    findPlaced: (orderId) => findEarlierBatch(database, orderId),
    findRefusal: () => findRefusal(platform, request, customer.userId),
  });
}

async function tryToPlace(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids'>,
  customer: Customer,
  request: CheckedBatchRequest,
  key: IdempotencyKey | null,
): Promise<PlacedBatch | null> {
  const { config, database, changes, ids } = platform;
  const batch = ids.next();
  const placements = request.lines.map((line, index) => {
    const isFirst = index === 0;
    return buildPlacement(platform, customer, request, line, {
      key: isFirst ? key : null,
      batch,
      hasMail: isFirst,
    });
  });
  if (!placements.every((placement) => placement !== null)) return null;
  const placed = await takeStockAndWriteOrders(database, config, 'all', placements);
  if (placed.size === 0) return null;
  for (const left of placed.values()) changes.publishOrder(left);
  return { batch, insertedIds: placements.map(({ id }) => id) };
}

async function findEarlierBatch({ db }: Database, orderId: string): Promise<PlacedBatch> {
  const orders = await findBatch(db, orderId);
  const [first] = orders;
  if (!first?.batch) throw new Error('The batch of this key is gone.');
  return { batch: first.batch, insertedIds: orders.map(({ id }) => id) };
}

const refusalOrder = [422, 404, 409];

async function findRefusal(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
  { lines }: CheckedBatchRequest,
  userId: string,
): Promise<Problem | null> {
  const products = await findOrderables(platform, userId, lines);
  const refusedLines = lines.flatMap((line, index) => {
    const problem = explainRefusal(line, products, `lines.${index}.quantity`);
    return problem ? [{ index, problem }] : [];
  });
  const [first] = refusedLines
    .map(({ problem }) => problem)
    .sort((a, b) => refusalOrder.indexOf(a.status) - refusalOrder.indexOf(b.status));
  if (!first) return null;
  return new Problem(first.code, { ...first.extras, lines: refusedLines.map(toLineProblem) });
}

const toLineProblem = ({ index, problem }: { index: number; problem: Problem }): LineProblem => ({
  index,
  code: problem.code,
  detail: problem.message,
  ...(problem.extras.quantity !== undefined && { quantity: problem.extras.quantity }),
  ...(problem.extras.price !== undefined && { price: problem.extras.price }),
});

function listContent({ lines, address, phone, reference = '' }: CheckedBatchRequest) {
  const ordered = lines.map(({ productId, quantity, totalPrice }) => [
    productId.toLowerCase(),
    quantity,
    toCents(totalPrice),
  ]);
  return ['batch', ordered, address, phone, reference];
}
