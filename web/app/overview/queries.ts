import { readOverview } from '@parts-forge/contract/overview';
import { queryOptions } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';

/** How the shop does, for administrators. It moves with orders and stock, so a visit reads it anew. */
export const overviewQueryOptions = () =>
  queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => callShop(readOverview, { signal }),
    // A page starts reading before it is shown; that is one reading, not two.
    staleTime: 5_000,
  });
