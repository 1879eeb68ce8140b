import { readOverview } from '@parts-forge/contract/overview';
import { queryOptions } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';

/** Orders and stock change the figures, so each visit refetches. */
export const overviewQueryOptions = () =>
  queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => callShop(readOverview, { signal }),
    // Reading starts before the page mounts; mounting must not read again.
    staleTime: 5_000,
  });
