import { type Priced, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { OwnPrice } from '@parts-forge/contract/prices/agreed-prices';
import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useSession } from '#app/session/session.ts';
import { usePageSettings } from '#app/ui/shop.tsx';
import type { Own } from './watch-own-prices.ts';

export interface OwnPriced extends Priced {
  ownPrices?: readonly OwnPrice[] | undefined;
}

interface OwnPrices {
  /** A part as the signed-in customer pays it: at agreed prices, and without tax if they owe none. */
  price: <Part extends Priced & { _id: string }>(part: Part) => Part & OwnPriced;
  /** Asks for the agreed prices of parts. @returns ends it */
  watch: (ids: string) => () => void;
}

export const OwnPrices = createContext<OwnPrices>({ price: (part) => part, watch: () => () => {} });

/** Prices the parts that the page shows. */
export function useOwnPrice(parts: readonly { _id: string }[]): OwnPrices['price'] {
  const { price, watch } = use(OwnPrices);
  const ids = parts.map(({ _id }) => _id).join();
  useEffect(() => watch(ids), [watch, ids]);
  return price;
}

/** Once for all pages, most of which are the same for everybody and have no query client. */
export function useOwnPrices(): OwnPrices {
  const state = useSession();
  const { taxPercent = 0 } = usePageSettings();
  const email = state.status === 'signed-in' ? state.user.email : null;
  const [lists, setLists] = useState<readonly { ids: string }[]>([]);
  const [own, setOwn] = useState<Own | null>(null);
  const watch = useCallback((ids: string) => {
    const list = { ids };
    setLists((before) => [...before, list]);
    return () => setLists((before) => before.filter((one) => one !== list));
  }, []);
  const ids = lists.flatMap((list) => list.ids || []).join();
  useEffect(() => {
    if (email === null || ids === '') return;
    const watching = import('./watch-own-prices.ts').then(({ watchOwnPrices }) =>
      watchOwnPrices(email, [...new Set(ids.split(','))].filter(Boolean), (read) =>
        // A longer list does not wait again for its first parts.
        setOwn((before) => ({
          ...read,
          agreed: new Map([...(before?.email === email ? before.agreed : []), ...read.agreed]),
        })),
      ),
    );
    return () =>
      void watching.then(
        (end) => end(),
        () => undefined,
      );
  }, [email, ids]);
  return useMemo(() => {
    const known = own?.email === email ? own : null;
    const untaxedRate = known?.isUntaxed ? Math.round(taxPercent * 100) : 0;
    const price: OwnPrices['price'] = (part) => {
      const prices = known?.agreed.get(part._id);
      return { ...part, ...(untaxedRate > 0 && { untaxedRate }), ...(prices && { ownPrices: prices }) };
    };
    return { price, watch };
  }, [own, email, taxPercent, watch]);
}

/** At the list's prices, which others pay. */
export const withoutOwn = ({ ownPrices: _, ...listed }: Priced): Priced => listed;

/** In cents, as `unitPriceFor`. */
export const listPriceFor = (quantity: number, part: Priced): number =>
  unitPriceFor(quantity, withoutOwn(part));

/** Stands after a price, if tax is not in it. */
export const taxWords = ({ untaxedRate = 0 }: Priced): string => (untaxedRate > 0 ? ' without tax' : '');
