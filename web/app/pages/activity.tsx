import { readActivityFilter } from '#app/activity/activity-filter.ts';
import { activityQueryOptions, administratorsQueryOptions } from '#app/activity/queries.ts';
import { queryClient } from '#app/calls/query-client.ts';
import type { Route } from './+types/activity';

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  void queryClient.prefetchInfiniteQuery(
    activityQueryOptions(readActivityFilter(new URL(request.url).searchParams)),
  );
  void queryClient.prefetchQuery(administratorsQueryOptions);
  return null;
}

export { Activity as default } from '#app/activity/activity.tsx';
