import { queryClient } from '#app/calls/query-client.ts';
import { Overview } from '#app/overview/overview.tsx';
import { overviewQueryOptions } from '#app/overview/queries.ts';

export function clientLoader() {
  void queryClient.prefetchQuery(overviewQueryOptions());
  return null;
}

export default function OverviewPage() {
  return <Overview />;
}
