import { createHash } from 'node:crypto';
import { MAX_STOCK, MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import { toCents } from '@parts-forge/contract/money';
import { type CheckedOrderRequest, placeOrder as placeOrderCall } from '@parts-forge/contract/orders';
import { totalCents, unitPriceCents } from '@parts-forge/contract/pricing';
import { problems } from '@parts-forge/contract/problems';
import { quantityRefusals } from '@parts-forge/contract/quantity';
import { idPattern, sameEmail } from '@parts-forge/contract/text';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { type Customer, requireOwnEmail } from '#src/platform/http/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct } from '#src/products/store.ts';
import { findUserById } from '#src/users/store.ts';
import type { OrderQueue } from './order-queue.ts';
import { countUnpaidOrders, findIdempotencyKey } from './store.ts';
import type { IdempotencyKey, OrderPlacement } from './take-stock.ts';

/** How often a placement is tried when its reason for failing had gone by the time it was looked for. */
const MAX_TRIES = 5;

/**
 * Takes the stock and writes the order, or does neither (contract, `POST /order`).
 *
 * Safe to repeat with the same `idempotencyKey`: the first answer is returned and nothing is placed twice, also
 * when both run at the same time.
 * @returns the id of the order
 * @throws Problem `not-yours`, `email-not-verified`, `not-found`, `below-minimum`, `wrong-step`, `amount-too-large`,
 *   `price-changed` (carries the price as it is now), `too-many-unpaid`, `above-stock` (carries the stock as it is now), `key-reused`
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
  if (config.requireVerifiedEmail && !(await findUserById(database.db, customer.userId))?.emailVerified) {
    await refuseBrokenRule(database, request);
    throw new Problem('email-not-verified', {
      detail: 'This shop takes orders only from a confirmed email address.',
    });
  }

  const key = idempotencyKey === undefined ? null : { text: idempotencyKey, bodyHash: hashRequest(request) };
  const priceCents = expectedUnitPrice(request);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const placement =
      priceCents === null ? null : buildPlacement(platform, customer, request, priceCents, key);
    // Once is enough with the others: there it may have been left out behind one that did not fit.
    const change = placement && (await (tries === 0 ? queue.place(placement) : queue.placeAlone(placement)));
    if (placement && change !== null) {
      await changes.publishNumbered(
        change,
        `product:${placement.productId.toLowerCase()}`,
        'products',
        'mail',
      );
      return placement.id;
    }
    const earlier = key && (await findEarlierOrder(database, customer, key));
    if (earlier) return earlier;
    const refusal = await explainRefusal(database, request);
    // What is no matter of state comes first.
    const tooMany = refusal?.status === 422 ? null : await refuseTooManyUnpaid(database, config, customer);
    if (tooMany ?? refusal) throw tooMany ?? refusal;
  }
  throw new Problem('unavailable', {
    detail: 'The stock is moving too fast. Try again in a moment.',
    retryAfterSeconds: 1,
  });
}

/** A new order of the customer at the price that they have seen, held from now on. */
function buildPlacement(
  { config, clock, ids }: Pick<Platform, 'config' | 'clock' | 'ids'>,
  { userId, name, email }: Customer,
  { quantity, address, phone, productId }: CheckedOrderRequest,
  priceCents: number,
  key: IdempotencyKey | null,
): OrderPlacement {
  const now = clock.now();
  return {
    id: ids.next(),
    userId,
    name,
    email,
    address,
    phone,
    productId,
    quantity,
    priceCents,
    totalCents: totalCents(quantity, priceCents),
    heldUntil: config.holdMs === null ? null : new Date(now.getTime() + config.holdMs),
    mailId: ids.next(),
    now,
    key,
  };
}

/**
 * The price of a piece that the customer has seen, in cents; null when no order can have such a total or quantity.
 * Beyond these bounds the database's integers end, too.
 */
function expectedUnitPrice({ quantity, totalPrice }: CheckedOrderRequest): number | null {
  const total = toCents(totalPrice);
  if (quantity < 1 || quantity > MAX_STOCK || total > MAX_TOTAL_CENTS) return null;
  return unitPriceCents(total, quantity);
}

/** The order that this key placed before; null when it placed none. @throws Problem `key-reused` */
async function findEarlierOrder(
  { db }: Database,
  customer: Customer,
  key: IdempotencyKey,
): Promise<string | null> {
  const used = await findIdempotencyKey(db, customer.userId, key.text);
  if (!used) return null;
  if (!used.bodyHash.equals(key.bodyHash)) {
    throw invalidField('Idempotency-Key', problems['key-reused'].title, 'key-reused');
  }
  return used.orderId;
}

/** Why the order cannot be placed now, what is no matter of state (422) first; null when nothing is in the way any more. */
async function explainRefusal(
  { db }: Database,
  { productId, quantity, totalPrice }: CheckedOrderRequest,
): Promise<Problem | null> {
  const product = await findProduct(db, productId);
  if (!product) return new Problem('not-found');
  const refusals = quantityRefusals(quantity, product);
  const refusal = refusals.find(({ code }) => code !== 'above-stock') ?? refusals[0];
  if (refusal) {
    return new Problem(refusal.code, {
      detail: refusal.message,
      errors: [{ path: 'quantity', message: refusal.message }],
      ...(refusal.code === 'above-stock' && { quantity: product.quantity }),
    });
  }
  if (toCents(totalPrice) === totalCents(quantity, toCents(product.price))) return null;
  return new Problem('price-changed', {
    detail: 'The total is not the quantity times the present price.',
    price: product.price,
  });
}

/** Orders that are never paid would take the stock from everybody else. */
async function refuseTooManyUnpaid(
  { db }: Database,
  { maxUnpaidOrders }: Platform['config'],
  { userId }: Customer,
): Promise<Problem | null> {
  if (maxUnpaidOrders === null || (await countUnpaidOrders(db, userId)) < maxUnpaidOrders) return null;
  return new Problem('too-many-unpaid', {
    detail: `You have ${maxUnpaidOrders} unpaid orders, as many as one account may have. Pay or cancel one of them first.`,
  });
}

/** The contract puts breaches of a rule (422) before those of ownership (403), and both before matters of state (409). */
async function refuseBrokenRule(database: Database, request: CheckedOrderRequest): Promise<void> {
  const refusal = await explainRefusal(database, request);
  if (refusal && refusal.status !== 409) throw refusal;
}

/** What two requests must share to be the same one. */
function hashRequest({ productId, quantity, totalPrice, address, phone }: CheckedOrderRequest): Buffer {
  const meaning = [productId.toLowerCase(), quantity, toCents(totalPrice), address, phone];
  return createHash('sha256').update(JSON.stringify(meaning)).digest();
}
