import { createHash } from 'node:crypto';
import { toCents } from '@parts-forge/contract/money';
import { type CheckedOrderRequest, placeOrder as placeOrderCall } from '@parts-forge/contract/orders';
import { idPattern, sameEmail } from '@parts-forge/contract/text';
import { Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { type Customer, requireOwnEmail } from '#src/platform/http/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { findUserById } from '#src/users/store.ts';
import { buildPlacement, findEarlierOrder, MAX_TRIES } from './build-placement.ts';
import { explainRefusal, refuseTooManyUnpaid, requirePresent } from './explain-refusal.ts';
import type { OrderQueue } from './order-queue.ts';

/**
 * Takes the stock and writes the order, or does neither (contract, `POST /order`).
 *
 * Safe to repeat with the same `idempotencyKey`: the first answer is returned and nothing is placed twice, also
 * when both run at the same time.
 * @returns the id of the order
 * @throws Problem `not-yours`, `email-not-verified`, `not-found`, `below-minimum`, `wrong-step`, `amount-too-large`,
 *   `price-changed` (carries the price of this quantity as it is now), `too-many-unpaid`, `above-stock` (carries the stock as it is now), `key-reused`
 */
export async function placeOrder(
  platform: Pick<Platform, 'config' | 'database' | 'changes' | 'clock' | 'ids'>,
  queue: OrderQueue,
  customer: Customer,
  request: CheckedOrderRequest,
  idempotencyKey: string | undefined,
): Promise<string> {
  const { config, database, changes } = platform;
  if (!idPattern.test(request.productId)) throw new Problem('not-found');
  if (!sameEmail(customer.email, request.email)) await refuseBrokenRule(database, request);
  requireOwnEmail(placeOrderCall, customer, request.email);
  await requireVerifiedEmail(platform, customer, () => refuseBrokenRule(database, request));

  const key = idempotencyKey === undefined ? null : { text: idempotencyKey, bodyHash: hashRequest(request) };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const placement = buildPlacement(platform, customer, request, request, { key });
    // Once is enough with the others: there it may have been left out behind one that did not fit.
    const left = placement && (await (tries === 0 ? queue.place(placement) : queue.placeAlone(placement)));
    if (left) {
      changes.publishOrder(left);
      return placement.id;
    }
    const earlier = key && (await findEarlierOrder(database, customer.userId, key));
    if (earlier) return earlier;
    const refusal = await findRefusal(database, request);
    // What is no matter of state comes first.
    const tooMany =
      refusal?.status === 422 ? null : await refuseTooManyUnpaid(database, config, customer.userId);
    if (tooMany ?? refusal) throw tooMany ?? refusal;
    await requirePresent(database, customer.userId);
  }
  throw stockMovesTooFast();
}

/**
 * Where the shop asks for proven addresses.
 * @param refuseFirst throws what comes before
 * @throws Problem `email-not-verified`
 */
export async function requireVerifiedEmail(
  { config, database }: Pick<Platform, 'config' | 'database'>,
  { userId }: Customer,
  refuseFirst: () => Promise<void>,
): Promise<void> {
  if (!config.requireVerifiedEmail || (await findUserById(database.db, userId))?.emailVerified) return;
  await refuseFirst();
  throw new Problem('email-not-verified', {
    detail: 'This shop takes orders only from a confirmed email address.',
  });
}

export const stockMovesTooFast = () =>
  new Problem('unavailable', {
    detail: 'The stock is moving too fast. Try again in a moment.',
    retryAfterSeconds: 1,
  });

const findRefusal = async ({ db }: Database, request: CheckedOrderRequest): Promise<Problem | null> =>
  explainRefusal(request, await findProduct(db, request.productId), 'quantity');

/** The contract puts breaches of a rule (422) before those of ownership (403), and both before matters of state (409). */
async function refuseBrokenRule(database: Database, request: CheckedOrderRequest): Promise<void> {
  const refusal = await findRefusal(database, request);
  if (refusal && refusal.status !== 409) throw refusal;
}

/** What two requests must share to be the same one. */
function hashRequest({
  productId,
  quantity,
  totalPrice,
  address,
  phone,
  reference,
}: CheckedOrderRequest): Buffer {
  const meaning = [productId.toLowerCase(), quantity, toCents(totalPrice), address, phone];
  // Keys of requests without one are from before there were any, too.
  if (reference) meaning.push(reference);
  return createHash('sha256').update(JSON.stringify(meaning)).digest();
}
