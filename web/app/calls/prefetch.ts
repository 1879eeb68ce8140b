import type { FetchQueryOptions } from '@tanstack/react-query';
import { session } from '#app/session/session.ts';
import { queryClient } from './query-client.ts';

type Query = { queryKey: readonly unknown[] } | null;

/** Starts a page's queries while its code loads, and returns what the router expects. */
export function prefetch(...queries: readonly Query[]): null {
  for (const query of queries) {
    if (query && 'initialPageParam' in query) void queryClient.prefetchInfiniteQuery(query as never);
    else if (query) void queryClient.prefetchQuery(query as FetchQueryOptions);
  }
  return null;
}

/** A query of the signed-in customer. */
export async function prefetchOwn(find: (email: string) => Query): Promise<null> {
  const state = await session.resolve();
  return state.status === 'signed-in' ? prefetch(find(state.user.email)) : null;
}
