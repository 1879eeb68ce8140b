import { toAmount, toUnitAmount } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import type { OwnPrice } from '@parts-forge/contract/prices/agreed-prices';
import { readDay } from '@parts-forge/contract/text/days';
import { and, eq, gte, inArray, isNull, or, type SQL } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { agreedPrices } from './schema.ts';

export type AgreedPriceRow = typeof agreedPrices.$inferSelect;

/**
 * Cents of `unitPriceFor`'s own price in SQL, null without one; a test compares the two. Names are qualified:
 * the table has the same ones.
 */
export const ownPriceSql = (user: string, part: string, quantity: string, today: string): string =>
  `(select min(own.price_cents) from agreed_prices own where own.user_id = ${user} and own.product_id = ${part}
    and own.from_quantity <= ${quantity} and (own.until is null or own.until >= ${today}))`;

/** The day in the shop's time zone, until whose end prices hold. */
export const readToday = ({ clock, config }: Pick<Platform, 'clock' | 'config'>): string =>
  readDay(clock.now(), config.timeZone);

export const hasNotEnded = (today: string): SQL | undefined =>
  or(isNull(agreedPrices.until), gte(agreedPrices.until, today));

/**
 * Those that have not ended, by the part's lower-case id, the lowest quantity first.
 * @param untaxedRate of the customer, for `netPrice`
 */
export async function findOwnPrices(
  db: Executor,
  userId: string,
  productIds: readonly string[],
  today: string,
  untaxedRate = 0,
): Promise<Map<string, OwnPrice[]>> {
  const rows = await db
    .select()
    .from(agreedPrices)
    .where(
      and(
        eq(agreedPrices.userId, userId),
        inArray(agreedPrices.productId, [...productIds]),
        hasNotEnded(today),
      ),
    )
    .orderBy(agreedPrices.fromQuantity, agreedPrices.priceCents);
  const byPart = Map.groupBy(rows, ({ productId }) => productId);
  return new Map([...byPart].map(([id, own]) => [id, own.map((row) => toOwnPrice(row, untaxedRate))]));
}

export const toOwnPrice = (
  { fromQuantity, priceCents, until }: Pick<AgreedPriceRow, 'fromQuantity' | 'priceCents' | 'until'>,
  untaxedRate: number,
): OwnPrice => ({
  fromQuantity,
  price: toAmount(priceCents),
  ...(untaxedRate > 0 && { netPrice: toUnitAmount(netPiece(priceCents, untaxedRate)) }),
  ...(until !== null && { until }),
});
