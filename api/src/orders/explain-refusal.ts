import { shopCurrency } from '@parts-forge/contract/money/currency';
import { toCents, toUnitAmount } from '@parts-forge/contract/money/money';
import { lineCents, unitPriceFor } from '@parts-forge/contract/money/pricing';
import { type Orderable, quantityRefusals } from '@parts-forge/contract/orders/quantity';
import { idPattern } from '@parts-forge/contract/text/text';
import { Problem } from '#src/platform/core/problem.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { findMetadata } from '#src/platform/database/metadata.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOwnPrices, readToday } from '#src/prices/own-prices.ts';
import { findProductsOnSale } from '#src/products/store.ts';
import { findUntaxedRate } from '#src/users/store.ts';
import type { OrderLine } from './build-placement.ts';
import { countUnpaidOrders } from './count-orders.ts';

/** Parts on sale at the customer's prices, by lower-case id. Skips malformed ids. */
export async function findOrderables(
  { clock, config, database }: Pick<Platform, 'clock' | 'config' | 'database'>,
  userId: string,
  lines: readonly Pick<OrderLine, 'productId'>[],
): Promise<Map<string, Orderable>> {
  const ids = lines.map(({ productId }) => productId.toLowerCase()).filter((id) => idPattern.test(id));
  const untaxedRate = await findUntaxedRate(database.db, config, userId);
  const products = await findProductsOnSale(database, ids);
  const own = await findOwnPrices(database.db, userId, ids, readToday({ clock, config }));
  return new Map(
    [...products].map(([id, product]) => [id, { ...product, untaxedRate, ownPrices: own.get(id) }]),
  );
}

/**
 * Validation errors (422) come before `above-stock` (409).
 * @param products of `findOrderables`
 */
export function explainRefusal(
  { productId, quantity, totalPrice }: OrderLine,
  products: ReadonlyMap<string, Orderable>,
  path: string,
): Problem | null {
  const product = products.get(productId.toLowerCase());
  if (!product) return new Problem('not-found');
  const refusals = quantityRefusals(quantity, product);
  const refusal = refusals.find(({ code }) => code !== 'above-stock') ?? refusals[0];
  if (refusal) {
    return new Problem(refusal.code, {
      detail: refusal.message,
      errors: [{ path, message: refusal.message }],
      ...(refusal.code === 'above-stock' && { quantity: product.quantity }),
    });
  }
  const seen = toCents(totalPrice);
  // Clients without own prices or price breaks send quantity times list price.
  const listed = { ...product, ownPrices: [] };
  const accepted = [product, listed, { ...listed, priceBreaks: [] }];
  if (accepted.some((priced) => seen === lineCents(quantity, priced))) return null;
  return new Problem('price-changed', {
    detail: 'The total is not the quantity times the present price.',
    price: toUnitAmount(unitPriceFor(quantity, product)),
  });
}

export async function refuseTooManyUnpaid(
  { db }: Database,
  { maxUnpaidOrders }: Pick<Platform['config'], 'maxUnpaidOrders'>,
  userId: string,
): Promise<Problem | null> {
  if (maxUnpaidOrders === null || (await countUnpaidOrders(db, userId)) < maxUnpaidOrders) return null;
  return new Problem('too-many-unpaid', {
    detail: `You have ${maxUnpaidOrders} unpaid orders, as many as one account may have. Pay or cancel one of them first.`,
  });
}

/** @throws Problem `unavailable` when a later start gave the shop another currency than this process has */
export async function refuseFormerCurrency({ db }: Database): Promise<void> {
  const { code } = shopCurrency();
  const present = (await findMetadata(db, 'currency')) ?? code;
  if (present === code) return;
  throw new Problem('unavailable', {
    detail: `The shop's currency is now ${present}, and this process still has ${code}: restart it with SHOP_CURRENCY=${present}.`,
  });
}
