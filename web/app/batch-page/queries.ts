import {
  addBatchLines,
  type BatchLine,
  type batchRequestSchema,
  clearBatch,
  placeBatch,
  readBatch,
  removeBatchLine,
  writeBatchLine,
} from '@parts-forge/contract/batch';
import { listOrders } from '@parts-forge/contract/orders';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { joinBrowserBatch, noteLines } from '#app/batch/saved-batch.ts';
import { callList, callShop } from '#app/calls/api-client.ts';
import { retryWithFreshProof } from '#app/calls/retry-with-fresh-proof.ts';
import { useSentOnce } from '#app/calls/use-sent-once.ts';
import { ShopProblem } from '#app/http/errors.ts';

/** The saved list of whoever is signed in, with what the browser had kept for them. */
export const batchQueryOptions = () =>
  queryOptions({
    queryKey: ['batch'],
    queryFn: async ({ signal }) => {
      // What cannot be taken over now is tried again later; the list is shown without it.
      await joinBrowserBatch().catch(() => undefined);
      return noteLines((await callShop(readBatch, { signal })).data);
    },
  });

/** What was placed together, in the order of its lines. */
export const placedBatchQueryOptions = (email: string, batch: string) =>
  queryOptions({
    queryKey: ['orders', 'batch', batch, email],
    queryFn: async ({ signal }) => {
      const { rows } = await callList(listOrders, { query: { email, batch, limit: '100' }, signal });
      return rows.toSorted((a, b) => a.number - b.number);
    },
  });

/** Writes of the list go one after the other, so that the last one stays. */
const scope = { id: 'batch' };

/** Keeps what the shop answered as the list. */
function useShowLines() {
  const queries = useQueryClient();
  return (lines: readonly BatchLine[]) => {
    queries.setQueryData(batchQueryOptions().queryKey, noteLines(lines));
  };
}

/** Sets the quantity of a line. */
export function useWriteLine() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: ({ productId, quantity }: { productId: string; quantity: number }) =>
      callShop(writeBatchLine, { params: { productId }, body: { quantity } }),
    onSuccess: ({ data }) => showLines(data),
  });
}

/** Takes a line out of the list. Done when the list shows it. */
export function useRemoveLine() {
  const queries = useQueryClient();
  return useMutation({
    scope,
    mutationFn: (productId: string) => callShop(removeBatchLine, { params: { productId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: batchQueryOptions().queryKey }),
  });
}

/** Empties the list. */
export function useClearBatch() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: () => callShop(clearBatch, {}),
    onSuccess: () => showLines([]),
  });
}

/** Adds pasted lines. */
export function useAddLines() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: (text: string) => callShop(addBatchLines, { body: { text } }),
    onSuccess: ({ data }) => showLines(data),
  });
}

/** What `POST /order/batch` is sent. */
export type BatchRequest = z.input<typeof batchRequestSchema>;

/**
 * Places the batch. The same one sent again after a broken connection is placed once: the key stays, over a reload too,
 * until something else is chosen or the orders stand. A refusal that is about the parts reads the list again.
 */
export function usePlaceBatch(email: string) {
  const queries = useQueryClient();
  const { send, isUnanswered, forget } = useSentOnce('batch', email, getChoice);
  const placing = useMutation({
    scope,
    mutationFn: (request: BatchRequest) =>
      send(request, (body, headers) => retryWithFreshProof(() => callShop(placeBatch, { body, headers }))),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['orders'] });
      void queries.invalidateQueries({ queryKey: ['products'] });
      void queries.invalidateQueries({ queryKey: batchQueryOptions().queryKey });
    },
    onError: async (error) => {
      if (error instanceof ShopProblem && error.body.lines) {
        await queries.invalidateQueries({ queryKey: batchQueryOptions().queryKey });
      }
    },
  });
  const forgetUnanswered = () => {
    forget();
    placing.reset();
  };
  return { ...placing, isUnanswered, forgetUnanswered };
}

/** Prices may change while nobody types. */
const getChoice = ({ address, phone, reference, lines }: BatchRequest) => ({
  address,
  phone,
  reference,
  lines: lines.map(({ productId, quantity }) => ({ productId, quantity })),
});
