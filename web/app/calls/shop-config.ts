import { readConfig } from '@parts-forge/contract/identity';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callShop } from './api-client.ts';
import { queryClient } from './query-client.ts';

/** What the shop says of itself: payments, pictures, identity. It does not change while a page is open. */
export const configQueryOptions = () =>
  queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => callShop(readConfig, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The time zone whose days and weeks the shop counts in; UTC until the shop has said it. */
export const useShopTimeZone = (): string => useQuery(configQueryOptions()).data?.timeZone ?? 'UTC';

/** The same for what is asked of the shop, which waits for it. */
export const readShopTimeZone = async (): Promise<string> =>
  (await queryClient.ensureQueryData(configQueryOptions())).timeZone;
