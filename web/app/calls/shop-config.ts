import { readConfig } from '@parts-forge/contract/identity';
import { queryOptions } from '@tanstack/react-query';
import { callShop } from './api-client.ts';

/** What the shop says of itself: payments, pictures, identity. It does not change while a page is open. */
export const configQueryOptions = () =>
  queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => callShop(readConfig, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
