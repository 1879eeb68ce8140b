import { queryClient } from '#app/calls/query-client.ts';
import { readPickFilter } from '#app/orders/pick-list/pick-list-filter.ts';
import { pickedOrdersQueryOptions } from '#app/orders/pick-list/pick-list-queries.ts';
import type { Route } from './+types/pick-list';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  void queryClient.prefetchQuery(pickedOrdersQueryOptions(readPickFilter(new URL(request.url).searchParams)));
  return null;
}

export { PickList as default } from '#app/orders/pick-list/pick-list.tsx';
