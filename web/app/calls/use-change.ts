import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** Sends a change. Settles once the queries of these keys are fresh, also after a refusal. */
export function useChange<Input, Answer>(send: (input: Input) => Promise<Answer>, ...keys: QueryKey[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
