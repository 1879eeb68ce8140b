import type { Priced } from '@parts-forge/contract/money/pricing';
import { createContext, useCallback, useEffect, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useSession } from '#app/session/session.ts';

type OwnPrices = <Part extends Priced>(part: Part) => Part;

/** A part as the signed-in customer pays it: without tax if they owe none. */
export const OwnPrices = createContext<OwnPrices>((part) => part);

/** Once for all pages, most of which are the same for everybody and have no query client. */
export function useOwnPrices(): OwnPrices {
  const state = useSession();
  const { taxPercent = 0 } = useRouteLoaderData<{ taxPercent?: number }>('root') ?? {};
  const email = state.status === 'signed-in' && taxPercent > 0 ? state.user.email : null;
  const [untaxed, setUntaxed] = useState<string | null>(null);
  useEffect(() => {
    if (email === null) return;
    const watching = import('./watch-untaxed.ts').then(({ watchUntaxed }) =>
      watchUntaxed(email, (isUntaxed) => setUntaxed(isUntaxed ? email : null)),
    );
    return () =>
      void watching.then(
        (end) => end(),
        () => undefined,
      );
  }, [email]);
  const untaxedRate = email !== null && untaxed === email ? Math.round(taxPercent * 100) : 0;
  return useCallback((part) => (untaxedRate > 0 ? { ...part, untaxedRate } : part), [untaxedRate]);
}

/** Stands after a price, if tax is not in it. */
export const taxWords = ({ untaxedRate = 0 }: Priced): string => (untaxedRate > 0 ? ' without tax' : '');
