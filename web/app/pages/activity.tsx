import { Activity } from '#app/activity/activity.tsx';
import { readActivityFilter } from '#app/activity/activity-filter.ts';
import { activityQueryOptions, administratorsQueryOptions } from '#app/activity/queries.ts';
import { queryClient } from '#app/calls/query-client.ts';
import type { Route } from './+types/activity';

/** Starts the list that the address asks for, and whom it can be narrowed down to; the page shows both as they come. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  void queryClient.prefetchInfiniteQuery(
    activityQueryOptions(readActivityFilter(new URL(request.url).searchParams)),
  );
  void queryClient.prefetchQuery(administratorsQueryOptions);
  return null;
}

export default function ActivityPage() {
  return <Activity />;
}
