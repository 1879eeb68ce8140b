import { formatCents } from '@parts-forge/contract/money/money';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import { formatDay } from '#app/ui/format-day.ts';
import { listPriceFor, taxWords } from '#app/users/own-prices.ts';
import type { OwnPriced } from '#app/users/watch-own-prices.tsx';

/** The price of a quantity, with the list's beside it where one's own is lower. */
export default function OwnPrice({ product, pieces }: { product: OwnPriced; pieces: number }) {
  const cents = unitPriceFor(pieces, product);
  const listed = listPriceFor(pieces, product);
  const isOwn = cents < listed;
  const until = findEnd(pieces, product);
  return (
    <>
      <p>
        <span className="block text-sm font-semibold">
          {isOwn ? 'Your price' : 'Price'}
          {taxWords(product)}
        </span>
        <strong className="text-[1.75rem] leading-9 font-semibold">{formatCents(cents)}</strong>
      </p>
      {isOwn && (
        <p className="pb-1 text-end text-sm text-muted">
          List price {formatCents(listed)}
          {until && <span className="block">agreed until {formatDay(until, 'UTC')}</span>}
        </p>
      )}
    </>
  );
}

/** Sorts after every day. */
const NO_END = '9999-12-31';

/** The last day of the own price of a quantity, the latest of equal prices; undefined for none. */
export const findEnd = (
  quantity: number,
  { ownPrices = [] }: Pick<OwnPriced, 'ownPrices'>,
): string | undefined =>
  ownPrices
    .filter(({ fromQuantity }) => fromQuantity <= quantity)
    .toSorted((a, b) => a.price - b.price || (b.until ?? NO_END).localeCompare(a.until ?? NO_END))[0]?.until;
