import { queryClient } from '#app/calls/query-client.ts';
import { overviewQueryOptions } from '#app/overview/queries.ts';

export function clientLoader() {
  void queryClient.prefetchQuery(overviewQueryOptions());
  return null;
}

export { Overview as default } from '#app/overview/overview.tsx';
