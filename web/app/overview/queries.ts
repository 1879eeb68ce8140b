import { readMonth, readOverview, readProof } from '@parts-forge/contract/orders/overview';
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

/** @param month such as `2026-11` */
export const monthQueryOptions = (month: string) =>
  queryOptions({
    queryKey: ['month', month],
    queryFn: ({ signal }) => callShop(readMonth, { query: { month }, signal }),
    staleTime: 5_000,
  });

/** Asks the provider, so it may take seconds. */
export const proofQueryOptions = (month: string) =>
  queryOptions({
    queryKey: ['proof', month],
    queryFn: ({ signal }) => callShop(readProof, { query: { month }, signal }),
    staleTime: 60_000,
    // The answer itself waits for some seconds.
    refetchInterval: ({ state }) => state.status === 'success' && state.data?.running === true && 2_000,
  });
