import { formatCents } from '@parts-forge/contract/money/money';
import { type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import { listPriceFor } from '#app/users/own-prices.ts';

type Part = Priced & { minimumOrder: number };

export const isOwnPrice = (part: Part): boolean =>
  unitPriceFor(part.minimumOrder, part) < listPriceFor(part.minimumOrder, part);

/** The price of the minimum order; an own price stands behind the list's. */
export function PartPrice({ part }: { part: Part }) {
  return (
    <>
      {isOwnPrice(part) && (
        <span className="mr-2 text-sm font-normal text-muted">
          List {formatCents(listPriceFor(part.minimumOrder, part))}
        </span>
      )}
      {formatCents(unitPriceFor(part.minimumOrder, part))}
    </>
  );
}
