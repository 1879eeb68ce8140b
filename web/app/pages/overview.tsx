import { queryClient } from '#app/calls/query-client.ts';
import { Overview } from '#app/overview/overview.tsx';
import { overviewQueryOptions } from '#app/overview/queries.ts';

/** Starts the reading; the page shows it as it comes. */
export function clientLoader() {
  void queryClient.prefetchQuery(overviewQueryOptions());
  return null;
}

export default function OverviewPage() {
  return <Overview />;
}
