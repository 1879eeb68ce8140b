import { readOrder } from '@parts-forge/contract/orders/orders';
import { beginDay } from '@parts-forge/contract/text/days';
import { queryOptions } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { readShopTimeZone } from '#app/calls/shop-config.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { readOrders } from '#app/orders/read-orders.ts';
import type { PickFilter } from './pick-list-filter.ts';

/** More than a day's work. */
export const MAX_PICKED = 300;

/** Oldest first; `hasMore` when the list is cut off. */
export const pickedOrdersQueryOptions = (filter: PickFilter) =>
  queryOptions({
    queryKey: ['orders', 'picked', filter],
    queryFn: async ({ signal }) => {
      const { chosen } = filter;
      const answer = chosen.length > 0 ? await readChosen(chosen, signal) : await readOldest(filter, signal);
      const orders = answer.orders.toSorted((a, b) => a.number - b.number);
      return { orders, hasMore: answer.hasMore };
    },
    // Reading starts before the page mounts; mounting must not read again.
    staleTime: 5_000,
  });

/** Closed orders are left out. */
async function readChosen(ids: readonly string[], signal: AbortSignal) {
  const orders = await Promise.all(
    ids.map((id) => callShop(readOrder, { params: { id }, signal }).catch(ignoreMissing)),
  );
  return { orders: orders.filter((order) => order !== null), hasMore: false };
}

async function readOldest({ status, since }: PickFilter, signal: AbortSignal) {
  const acceptedSince = status === 'paid' && since && beginDay(since, await readShopTimeZone()).toISOString();
  const query = {
    status,
    sort: 'oldest' as const,
    ...(status === 'paid' && { toSend: 'true' as const }),
    ...(acceptedSince && { acceptedSince }),
  };
  return readOrders(query, MAX_PICKED, signal);
}

function ignoreMissing(error: unknown): null {
  if (getProblemCode(error) === 'not-found') return null;
  throw error;
}
