import { createHash } from 'node:crypto';
import { type CheckedBatchRequest, placeBatch as placeBatchCall } from '@parts-forge/contract/batch';
import { toCents } from '@parts-forge/contract/money';
import type { LineProblem } from '@parts-forge/contract/problems';
import { idPattern, sameEmail } from '@parts-forge/contract/text';
import { Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { type Customer, requireOwnEmail } from '#src/platform/http/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProductsById } from '#src/products/store.ts';
import { buildPlacement, findEarlierOrder, MAX_TRIES } from './build-placement.ts';
import { explainRefusal, refuseTooManyUnpaid, requirePresent } from './explain-refusal.ts';
import { requireVerifiedEmail, stockMovesTooFast } from './place-order.ts';
import { findBatch } from './store.ts';
import { type IdempotencyKey, takeStockAndWriteBatch } from './take-stock.ts';

/** What was placed together: its id, and the orders in the order of the request's lines. */
export interface PlacedBatch {
  batch: string;
  insertedIds: string[];
}

/**
 * Takes the stock of every line and writes an order for each, or does nothing at all (contract, `POST /order/batch`).
 *
 * Safe to repeat with the same `idempotencyKey`, as `placeOrder` is.
 * @throws Problem as `placeOrder`: the code of the gravest line, with every line in the way in `lines`
 */
export async function placeBatch(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids'>,
  customer: Customer,
  request: CheckedBatchRequest,
  idempotencyKey: string | undefined,
): Promise<PlacedBatch> {
  const { config, database } = platform;
  if (!sameEmail(customer.email, request.email)) await refuseBrokenRule(database, request);
  requireOwnEmail(placeBatchCall, customer, request.email);
  await requireVerifiedEmail(platform, customer, () => refuseBrokenRule(database, request));

  const key = idempotencyKey === undefined ? null : { text: idempotencyKey, bodyHash: hashRequest(request) };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const placed = await tryToPlace(platform, customer, request, key);
    if (placed) return placed;
    const earlier = key && (await findEarlierOrder(database, customer.userId, key));
    if (earlier) return await findEarlierBatch(database, earlier);
    const refusal = await findRefusal(database, request);
    // What is no matter of state comes first.
    const tooMany =
      refusal?.status === 422 ? null : await refuseTooManyUnpaid(database, config, customer.userId);
    if (tooMany ?? refusal) throw tooMany ?? refusal;
    await requirePresent(database, customer.userId);
  }
  throw stockMovesTooFast();
}

/** @returns null when nothing was placed */
async function tryToPlace(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids'>,
  customer: Customer,
  request: CheckedBatchRequest,
  key: IdempotencyKey | null,
): Promise<PlacedBatch | null> {
  const { config, database, changes, ids } = platform;
  const batch = ids.next();
  // The key and the mail are those of the first order.
  const placements = request.lines.map((line, index) => {
    const isFirst = index === 0;
    return buildPlacement(platform, customer, request, line, {
      key: isFirst ? key : null,
      batch,
      hasMail: isFirst,
    });
  });
  if (!placements.every((placement) => placement !== null)) return null;
  const placed = await takeStockAndWriteBatch(database, placements, {
    maxUnpaid: config.maxUnpaidOrders,
    lockTimeoutMs: null,
  });
  if (placed.size === 0) return null;
  for (const left of placed.values()) changes.publishOrder(left);
  return { batch, insertedIds: placements.map(({ id }) => id) };
}

/** The batch of an order that was placed before with the same key and body. */
async function findEarlierBatch({ db }: Database, orderId: string): Promise<PlacedBatch> {
  const orders = await findBatch(db, orderId);
  const [first] = orders;
  if (!first?.batch) throw new Error('The batch of this key is gone.');
  return { batch: first.batch, insertedIds: orders.map(({ id }) => id) };
}

/** How grave a refusal is: the contract's order of refusals. */
const graveness = [422, 404, 409];

/** Why the batch cannot be placed now: the gravest line's reason, with every line that is in the way. */
async function findRefusal({ db }: Database, { lines }: CheckedBatchRequest): Promise<Problem | null> {
  const ids = lines.map(({ productId }) => productId.toLowerCase());
  const products = await findProductsById(
    db,
    ids.filter((id) => idPattern.test(id)),
  );
  const inTheWay = lines.flatMap((line, index) => {
    const entry = products.get(line.productId.toLowerCase());
    const product = entry && !entry.isDeleted ? entry.product : null;
    const problem = explainRefusal(line, product, `lines.${index}.quantity`);
    return problem ? [{ index, problem }] : [];
  });
  const [gravest] = inTheWay
    .map(({ problem }) => problem)
    .sort((a, b) => graveness.indexOf(a.status) - graveness.indexOf(b.status));
  if (!gravest) return null;
  return new Problem(gravest.code, { ...gravest.extras, lines: inTheWay.map(toLineProblem) });
}

const toLineProblem = ({ index, problem }: { index: number; problem: Problem }): LineProblem => ({
  index,
  code: problem.code,
  detail: problem.message,
  ...(problem.extras.quantity !== undefined && { quantity: problem.extras.quantity }),
  ...(problem.extras.price !== undefined && { price: problem.extras.price }),
});

/** Breaches of a rule come before those of ownership, and both before matters of state, as in `placeOrder`. */
async function refuseBrokenRule(database: Database, request: CheckedBatchRequest): Promise<void> {
  const refusal = await findRefusal(database, request);
  if (refusal && refusal.status !== 409) throw refusal;
}

/** What two requests must share to be the same one. */
function hashRequest({ lines, address, phone, reference = '' }: CheckedBatchRequest): Buffer {
  const meanings = lines.map((line) => [
    line.productId.toLowerCase(),
    line.quantity,
    toCents(line.totalPrice),
  ]);
  const meaning = ['batch', meanings, address, phone, reference];
  return createHash('sha256').update(JSON.stringify(meaning)).digest();
}
