import { createKey, deleteKey, listKeys, type NewKey } from '@parts-forge/contract/keys';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';

export const keysQueryOptions = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await callShop(listKeys, { signal })).data,
});

export const useCreateKey = () => useKeyCall((body: NewKey) => callShop(createKey, { body }));

export const useEndKey = () => useKeyCall((id: string) => callShop(deleteKey, { params: { id } }));

/** Settles when the list shows the change. */
function useKeyCall<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => queries.invalidateQueries(keysQueryOptions) });
}
