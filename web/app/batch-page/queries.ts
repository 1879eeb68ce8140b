import { formatCount } from '@parts-forge/contract/money/money';
import { writeAlias } from '@parts-forge/contract/orders/aliases';
import {
  addBatchFile,
  addBatchLines,
  type BatchLine,
  type batchRequestSchema,
  clearBatch,
  placeBatch,
  readBatch,
  removeBatchLine,
  writeBatchLine,
  writeBatchLines,
} from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { joinBrowserBatch, noteLines } from '#app/batch/saved-batch.ts';
import { callList, callShop } from '#app/calls/api-client.ts';
import { ShopProblem } from '#app/http/errors.ts';
import { usePlacing } from '#app/placing/use-placing.ts';
import { toast } from '#app/ui/toast.tsx';

/** The saved batch, after merging the browser's list. */
export const batchQueryOptions = () =>
  queryOptions({
    queryKey: ['batch'],
    // Another tab or device may have changed it.
    refetchOnWindowFocus: 'always',
    queryFn: async ({ signal }) => {
      // A failed merge is retried later.
      await joinBrowserBatch().catch(() => undefined);
      return noteLines((await callShop(readBatch, { signal })).data);
    },
  });

/** In the order of the batch's lines. */
export const placedBatchQueryOptions = (email: string, batch: string) =>
  queryOptions({
    queryKey: ['orders', 'batch', batch, email],
    queryFn: async ({ signal }) => {
      const { rows } = await callList(listOrders, { query: { email, batch, limit: '100' }, signal });
      return rows.toSorted((a, b) => a.number - b.number);
    },
  });

/** Serializes the writes: the last one wins. */
const scope = { id: 'batch' };

/** Stores the returned lines as the query's data. */
function useShowLines() {
  const queries = useQueryClient();
  return (lines: readonly BatchLine[]) => {
    queries.setQueryData(batchQueryOptions().queryKey, noteLines(lines));
  };
}

export function useWriteLine() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: ({ productId, quantity }: { productId: string; quantity: number }) =>
      callShop(writeBatchLine, { params: { productId }, body: { quantity } }),
    onSuccess: ({ data }) => showLines(data),
  });
}

/** Resolves once the list is fresh. */
export function useRemoveLine() {
  const queries = useQueryClient();
  return useMutation({
    scope,
    mutationFn: (productId: string) => callShop(removeBatchLine, { params: { productId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: batchQueryOptions().queryKey }),
  });
}

export function useSetQuantities() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: (lines: { productId: string; quantity: number }[]) =>
      callShop(writeBatchLines, { body: { lines } }),
    onSuccess: ({ data }) => showLines(data),
  });
}

export function useClearBatch() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: () => callShop(clearBatch, {}),
    onSuccess: () => showLines([]),
  });
}

/** The column of the pieces, as `columns` asks. */
interface Choice {
  quantity?: string | undefined;
}

export function useAddLines() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: ({ text, quantity }: { text: string } & Choice) =>
      callShop(addBatchLines, { body: { text }, query: { quantity } }),
    onSuccess: ({ data }) => showLines(data),
  });
}

export function useRememberName() {
  const queries = useQueryClient();
  return useMutation({
    scope,
    mutationFn: (body: { alias: string; productId: string }) => callShop(writeAlias, { body }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['own-names'] }),
  });
}

export function useAddFile() {
  const showLines = useShowLines();
  return useMutation({
    scope,
    mutationFn: ({ file, quantity }: { file: Blob } & Choice) =>
      callShop(addBatchFile, { file, query: { quantity } }),
    onSuccess: ({ data }) => showLines(data),
  });
}

export type BatchRequest = z.input<typeof batchRequestSchema>;

/** A refusal about parts refetches the lines. */
export function usePlaceBatch(email: string) {
  const queries = useQueryClient();
  return usePlacing({
    name: 'batch',
    email,
    getChoice,
    call: (body: BatchRequest, headers) => callShop(placeBatch, { body, headers }),
    scope,
    onSuccess: async (_placed, { lines }) => {
      void queries.invalidateQueries({ queryKey: ['orders'] });
      void queries.invalidateQueries({ queryKey: ['products'] });
      await queries.invalidateQueries({ queryKey: batchQueryOptions().queryKey });
      const now = queries.getQueryData(batchQueryOptions().queryKey) ?? [];
      const kept = now.filter(({ product }) => lines.some(({ productId }) => productId === product._id));
      if (kept.length === 0) return;
      const stay = kept.length === 1 ? 'stays' : 'stay';
      toast('error', `${formatCount(kept.length, 'line')} ${stay} in the batch with another quantity.`);
    },
    onError: async (error) => {
      if (error instanceof ShopProblem && error.body.lines) {
        // The customer may pay tax by now, or none, and an agreed price may have ended.
        const keys = [['user', email], ['own-prices'], batchQueryOptions().queryKey];
        await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
      }
    },
  });
}

/** Prices can change without the customer. */
const getChoice = ({ address, phone, reference, lines }: BatchRequest) => ({
  address,
  phone,
  reference,
  lines: lines.map(({ productId, quantity }) => ({ productId, quantity })),
});
