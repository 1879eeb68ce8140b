import { queryClient } from '#app/calls/query-client.ts';
import { pagePolicies } from '#app/dashboard/page-policies.ts';
import { requirePermission } from '#app/identity/guards.ts';
import { Overview } from '#app/overview/overview.tsx';
import { overviewQueryOptions } from '#app/overview/queries.ts';

export const clientMiddleware = [requirePermission(pagePolicies.overview)];

/** Starts the reading; the page shows it as it comes. */
export function clientLoader() {
  void queryClient.prefetchQuery(overviewQueryOptions());
  return null;
}

export default function OverviewPage() {
  return <Overview />;
}
