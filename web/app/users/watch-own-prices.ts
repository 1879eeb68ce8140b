import { MAX_PRICED_PARTS } from '@parts-forge/contract/calls/bounds';
import { type OwnPrice, readOwnPrices } from '@parts-forge/contract/prices/agreed-prices';
import { QueriesObserver, QueryObserver } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { userQueryOptions } from './queries.ts';

/** The next page of a list reads neither again. */
const staleTime = 60_000;

export interface Own {
  email: string;
  /** Owes no tax. */
  isUntaxed: boolean;
  /** Agreed prices by part, of those that were read; an empty list for none. */
  agreed: ReadonlyMap<string, readonly OwnPrice[]>;
}

/** Administrators have no prices of their own. @returns ends it */
export function watchOwnPrices(
  email: string,
  ids: readonly string[],
  onChange: (own: Own) => void,
): () => void {
  const requests = Array.from({ length: Math.ceil(ids.length / MAX_PRICED_PARTS) }, (_, index) =>
    ownPricesQueryOptions(email, ids.slice(index * MAX_PRICED_PARTS, (index + 1) * MAX_PRICED_PARTS)),
  );
  const user = new QueryObserver(queryClient, { ...userQueryOptions(email), staleTime });
  const prices = new QueriesObserver(queryClient, []);
  const tell = () =>
    onChange({
      email,
      isUntaxed: user.getCurrentResult().data?.untaxed !== undefined,
      agreed: new Map(prices.getCurrentResult().flatMap(({ data }) => [...((data as Own['agreed']) ?? [])])),
    });
  const update = () => {
    prices.setQueries(user.getCurrentResult().data?.role === 'user' ? requests : []);
    tell();
  };
  const ends = [prices.subscribe(tell), user.subscribe(update)];
  update();
  return () => {
    for (const end of ends) end();
  };
}

const ownPricesQueryOptions = (email: string, ids: readonly string[]) => ({
  queryKey: ['own-prices', email, ids],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Own['agreed']> => {
    const query = { products: ids.join() };
    const { data } = await callShop(readOwnPrices, { query, signal, whenSignedOut: 'stay' });
    const known = new Map(data.map(({ productId, ownPrices }) => [productId, ownPrices]));
    return new Map(ids.map((id) => [id, known.get(id) ?? []]));
  },
  staleTime,
});
