import { MAX_PRICED_PARTS } from '@parts-forge/contract/calls/bounds';
import type { Priced } from '@parts-forge/contract/money/pricing';
import { type OwnPrice, readOwnPrices } from '@parts-forge/contract/prices/agreed-prices';
import { QueriesObserver, QueryObserver, type QueryObserverResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callShop } from '#app/calls/api-client.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { Banner } from '#app/ui/banner.tsx';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { userQueryOptions } from './queries.ts';

export interface OwnPriced extends Priced {
  ownPrices?: readonly OwnPrice[] | undefined;
}

export interface OwnPrices {
  /** A part as the signed-in customer pays it: at agreed prices, and without tax if they owe none. */
  price: <Part extends Priced & { _id: string }>(part: Part) => Part & OwnPriced;
  /** Reads the agreed prices of parts. @param ids with commas between. @returns stops it */
  watch: (ids: string) => () => void;
  /** Says that some could not be read. Visitors do not load it. */
  notice?: ReactNode;
}

/** A page that opens within it reads neither the user nor prices again. */
const staleTime = 60_000;

/** By the part's id; an empty list for a part without agreed prices. */
type Agreed = ReadonlyMap<string, readonly OwnPrice[]>;

/** Reads while parts are watched. Administrators have no prices of their own. @returns ends it */
export function watchOwnPrices(
  email: string,
  taxPercent: number,
  onChange: (prices: OwnPrices) => void,
): () => void {
  const userOptions = { ...userQueryOptions(email), staleTime };
  const user = new QueryObserver(queryClient, { ...userOptions, enabled: false });
  const prices = new QueriesObserver(queryClient, []);
  const lists = new Set<{ ids: string }>();
  /** Keeps those of earlier lists: a longer list does not wait again for its first parts. */
  const agreed = new Map<string, readonly OwnPrice[]>();
  const notify = () => {
    for (const { data = [] } of prices.getCurrentResult()) {
      for (const [id, own] of data as Agreed) agreed.set(id, own);
    }
    const untaxedRate = user.getCurrentResult().data?.untaxed ? Math.round(taxPercent * 100) : 0;
    const price = priceBy(agreed, untaxedRate);
    const reads = [user.getCurrentResult(), ...prices.getCurrentResult()];
    onChange({ price, watch, ...(lists.size > 0 && renderFailure(reads)) });
  };
  const update = () => {
    const ids = [...new Set([...lists].flatMap((list) => list.ids.split(',')))].filter(Boolean);
    prices.setQueries(user.getCurrentResult().data?.role === 'user' ? listQueries(email, ids) : []);
    notify();
  };
  /** Parts of a page come and go together, and are asked for once. */
  const updateSoon = () =>
    queueMicrotask(() => {
      // A list without parts may still be priced without tax.
      user.setOptions({ ...userOptions, enabled: lists.size > 0 });
      update();
    });
  const watch = (ids: string) => {
    const list = { ids };
    lists.add(list);
    updateSoon();
    return () => {
      lists.delete(list);
      updateSoon();
    };
  };
  const ends = [user.subscribe(update), prices.subscribe(notify)];
  notify();
  return () => {
    for (const end of ends) end();
  };
}

const priceBy =
  (agreed: Agreed, untaxedRate: number): OwnPrices['price'] =>
  (part) => {
    const ownPrices = agreed.get(part._id);
    return { ...part, ...(untaxedRate > 0 && { untaxedRate }), ...(ownPrices && { ownPrices }) };
  };

function renderFailure(reads: readonly Pick<QueryObserverResult, 'isLoadingError' | 'refetch'>[]) {
  const failed = reads.filter(({ isLoadingError }) => isLoadingError);
  const retry = () => {
    for (const { refetch } of failed) void refetch();
  };
  return failed.length > 0 && { notice: <UnreadPrices onRetry={retry} /> };
}

/** The page shows the list's prices, which the customer may take for their own. */
const UnreadPrices = ({ onRetry }: { onRetry: () => void }) => (
  <div className="wrap pt-4">
    <Banner
      kind="error"
      after={
        <button
          type="button"
          className="pf-link pf-fix"
          onClick={() => {
            // The pressed button goes.
            focusHeading();
            onRetry();
          }}
        >
          Try again
        </button>
      }
    >
      Your prices could not be read. The list’s prices are shown.
    </Banner>
  </div>
);

const listQueries = (email: string, ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / MAX_PRICED_PARTS) }, (_, index) =>
    ownPricesQueryOptions(email, ids.slice(index * MAX_PRICED_PARTS, (index + 1) * MAX_PRICED_PARTS)),
  );

const ownPricesQueryOptions = (email: string, ids: readonly string[]) => ({
  queryKey: ['own-prices', email, ids],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Agreed> => {
    const query = { products: ids.join() };
    const { data } = await callShop(readOwnPrices, { query, signal, whenSignedOut: 'stay' });
    const known = new Map(data.map(({ productId, ownPrices }) => [productId, ownPrices]));
    return new Map(ids.map((id) => [id, known.get(id) ?? []]));
  },
  staleTime,
});
