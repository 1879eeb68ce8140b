import { Activity } from '#app/activity/activity.tsx';
import { readActivityFilter } from '#app/activity/activity-filter.ts';
import { activityQueryOptions } from '#app/activity/queries.ts';
import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import type { Route } from './+types/activity';

export const clientMiddleware = [requirePermission(pagePolicies.activity)];

/** Starts the list that the address asks for; the page shows it as it comes. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  void queryClient.prefetchInfiniteQuery(
    activityQueryOptions(readActivityFilter(new URL(request.url).searchParams)),
  );
  return null;
}

export default function ActivityPage() {
  return <Activity />;
}
