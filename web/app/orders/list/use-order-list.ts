import { useInfiniteQuery } from '@tanstack/react-query';
import { allOrdersQueryOptions } from '#app/orders/queries.ts';
import type { OrderFilter } from './order-filter.ts';

/**
 * A text search without open matches falls back to closed orders: a customer may not know the order's status.
 */
export function useOrderList(filter: OrderFilter) {
  const asked = useInfiniteQuery(allOrdersQueryOptions(filter));
  const mayHaveEnded = filter.q !== '' && filter.show === '';
  // While a search loads, the previous rows stay, closed ones included.
  const hasNone = asked.data?.pages[0]?.rows.length === 0;
  const endedFilter: OrderFilter = { ...filter, show: 'ended' };
  const ended = useInfiniteQuery({
    ...allOrdersQueryOptions(endedFilter),
    enabled: mayHaveEnded && hasNone && !asked.isPlaceholderData,
  });
  const isEnded = mayHaveEnded && hasNone && ended.data?.pages[0]?.rows.length !== 0;
  // Without a closed match, the open list is the answer.
  return isEnded ? { list: ended, shown: endedFilter, isEnded } : { list: asked, shown: filter, isEnded };
}
