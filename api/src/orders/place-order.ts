import { createHash } from 'node:crypto';
import { aboveStock, belowMinimum, messages } from '@parts-forge/contract/messages';
import { amountOf, centsOf, totalCents } from '@parts-forge/contract/money';
import { MAX_TOTAL_CENTS, type OrderRequest } from '@parts-forge/contract/orders';
import { problems } from '@parts-forge/contract/problems';
import { MAX_STOCK } from '@parts-forge/contract/products';
import { idPattern, sameEmail } from '@parts-forge/contract/text';
import { isUniqueViolation } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/access.ts';
import { invalidField, Problem } from '#src/platform/http/problem.ts';
import { findProduct } from '#src/products/store.ts';
import type { Services } from '#src/services.ts';
import { findOrderKey, takeStockAndWriteOrder } from './store.ts';

/** How often a placement is tried when its reason for failing had gone by the time it was looked for. */
const TRIES = 5;

type Needs = Pick<Services, 'database' | 'changes' | 'clock' | 'ids'>;

/**
 * Takes the stock and writes the order, or does neither (contract, `POST /order`).
 *
 * Safe to repeat with the same `idempotencyKey`: the first answer is returned and nothing is placed twice, also
 * when both run at the same time.
 * @returns the id of the order
 * @throws Problem `not-yours`, `not-found`, `below-minimum`, `amount-too-large`, `price-changed` (carries the
 *   price as it is now), `above-stock` (carries the stock as it is now), `key-reused`
 */
export async function placeOrder(
  { database, changes, clock, ids }: Needs,
  customer: Customer,
  request: OrderRequest,
  idempotencyKey: string | null,
): Promise<string> {
  if (!idPattern.test(request.productId)) throw new Problem('not-found');
  if (!sameEmail(customer.email, request.email)) {
    // The contract puts breaches of a rule before those of ownership.
    await refuseIfRuleIsBroken(database, request);
    throw new Problem('not-yours');
  }

  // Beyond these bounds nothing can be ordered; the database's integers end soon after them.
  const total = Math.min(centsOf(request.totalPrice), MAX_TOTAL_CENTS + 1);
  const quantity = Math.min(request.quantity, MAX_STOCK + 1);
  const key = idempotencyKey === null ? null : { text: idempotencyKey, bodyHash: meaningOf(request) };
  for (let tried = 0; tried < TRIES; tried += 1) {
    const id = ids.next();
    const placed = await takeStockAndWriteOrder(database, {
      id,
      userId: customer.userId,
      name: customer.name,
      email: customer.email,
      address: request.address,
      phone: request.phone,
      productId: request.productId,
      quantity,
      totalCents: total,
      now: clock.now(),
      key,
    }).catch((error: unknown) => {
      if (isUniqueViolation(error)) return false;
      throw error;
    });
    if (placed) {
      await changes.announce('products');
      return id;
    }
    const earlier = key && (await placedEarlier(database, customer, key));
    if (earlier) return earlier;
    await refuseIfUnorderable(database, request);
  }
  throw new Problem('unavailable', {
    detail: 'The stock is moving too fast. Try again in a moment.',
    retryAfterSeconds: 1,
  });
}

/** The order that this key placed before; null when it placed none. @throws Problem `key-reused` */
async function placedEarlier(
  { db }: Needs['database'],
  customer: Customer,
  key: { text: string; bodyHash: Buffer },
): Promise<string | null> {
  const used = await findOrderKey(db, customer.userId, key.text);
  if (!used) return null;
  if (!used.bodyHash.equals(key.bodyHash)) {
    throw invalidField('Idempotency-Key', problems['key-reused'].title, 'key-reused');
  }
  return used.orderId;
}

/**
 * The product and the total in cents, if the quantity may be ordered of it at all.
 * @throws Problem `not-found`, `below-minimum`, `amount-too-large`
 */
async function refuseIfRuleIsBroken({ db }: Needs['database'], { productId, quantity }: OrderRequest) {
  const product = await findProduct(db, productId);
  if (!product) throw new Problem('not-found');
  if (quantity < product.minimumOrder) {
    throw invalidField('quantity', belowMinimum(product.minimumOrder), 'below-minimum');
  }
  const total = totalCents(quantity, product.priceCents);
  if (total > MAX_TOTAL_CENTS) throw invalidField('quantity', messages.amountTooLarge, 'amount-too-large');
  return { product, total };
}

/** Finds the reason why no stock was taken; returns when there is none any more. */
async function refuseIfUnorderable(database: Needs['database'], request: OrderRequest): Promise<void> {
  const { product, total } = await refuseIfRuleIsBroken(database, request);
  const { quantity, totalPrice } = request;
  if (quantity > product.quantity) {
    throw new Problem('above-stock', {
      detail: aboveStock(product.quantity),
      quantity: product.quantity,
      errors: [{ path: 'quantity', message: aboveStock(product.quantity) }],
    });
  }
  if (centsOf(totalPrice) !== total) {
    throw new Problem('price-changed', {
      detail: 'The total is not the quantity times the present price.',
      price: amountOf(product.priceCents),
    });
  }
}

/** What two requests must share to be the same one. */
function meaningOf({ productId, quantity, totalPrice, address, phone }: OrderRequest): Buffer {
  const meaning = [productId.toLowerCase(), quantity, centsOf(totalPrice), address, phone];
  return createHash('sha256').update(JSON.stringify(meaning)).digest();
}
