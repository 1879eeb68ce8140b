import { readConfig } from '@parts-forge/contract/people/identity';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callShop } from './api-client.ts';
import { queryClient } from './query-client.ts';

export const configQueryOptions = () =>
  queryOptions({
    queryKey: ['config'],
    queryFn: ({ signal }) => callShop(readConfig, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useShopTimeZone = (): string =>
  // A part's page is outside the client's provider.
  useQuery(configQueryOptions(), queryClient).data?.timeZone ?? 'UTC';

export const useChargesTax = (): boolean => useQuery(configQueryOptions()).data?.chargesTax ?? false;

export const readShopTimeZone = async (): Promise<string> =>
  (await queryClient.ensureQueryData(configQueryOptions())).timeZone;
