import { type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import { createContext, use, useEffect, useState } from 'react';
import { useSession } from '#app/session/session.ts';
import { usePageSettings } from '#app/ui/shop.tsx';
import type { OwnPrices as Prices } from './watch-own-prices.tsx';

const listPrices: Prices = { price: (part) => part, watch: () => () => {} };

export const OwnPrices = createContext(listPrices);

/** Prices the parts that the page shows. */
export function useOwnPrice(parts: readonly { _id: string }[]): Prices['price'] {
  const { price, watch } = use(OwnPrices);
  const ids = parts.map(({ _id }) => _id).join();
  useEffect(() => watch(ids), [watch, ids]);
  return price;
}

/** Once for all pages, most of which are the same for everybody. Visitors do not load what reads prices. */
export function useOwnPrices(): Prices {
  const session = useSession();
  const email = session.status === 'signed-in' ? session.user.email : null;
  const { taxPercent = 0 } = usePageSettings();
  const [own, setOwn] = useState<{ email: string; prices: Prices } | null>(null);
  useEffect(() => {
    if (email === null) return;
    const watching = import('./watch-own-prices.tsx').then(({ watchOwnPrices }) =>
      watchOwnPrices(email, taxPercent, (prices) => setOwn({ email, prices })),
    );
    return () =>
      void watching.then(
        (end) => end(),
        () => undefined,
      );
  }, [email, taxPercent]);
  return own !== null && own.email === email ? own.prices : listPrices;
}

/** At the list's prices, which others pay. */
export const withoutOwn = ({ ownPrices: _, ...listed }: Priced): Priced => listed;

/** In cents, as `unitPriceFor`. */
export const listPriceFor = (quantity: number, part: Priced): number =>
  unitPriceFor(quantity, withoutOwn(part));

/** Stands after a price, if tax is not in it. */
export const taxWords = ({ untaxedRate = 0 }: Priced): string => (untaxedRate > 0 ? ' without tax' : '');
