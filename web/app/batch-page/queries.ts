import { formatCount } from '@parts-forge/contract/money/money';
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
import type { BrowserLine } from '#app/batch/browser-batch.ts';
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

/** Shows the lines that a change returns. */
function useChange<Sent, Answer extends { data: readonly BatchLine[] }>(
  send: (sent: Sent) => Promise<Answer>,
) {
  const queries = useQueryClient();
  return useMutation({
    scope,
    mutationFn: send,
    onSuccess: ({ data }) => {
      queries.setQueryData(batchQueryOptions().queryKey, noteLines(data));
    },
  });
}

export const useWriteLine = () =>
  useChange(({ productId, quantity }: BrowserLine) =>
    callShop(writeBatchLine, { params: { productId }, body: { quantity } }),
  );

export const useSetQuantities = () =>
  useChange((lines: BrowserLine[]) => callShop(writeBatchLines, { body: { lines } }));

export const useClearBatch = () =>
  useChange(async () => {
    await callShop(clearBatch, {});
    return { data: [] };
  });

/** The column of the pieces, as `columns` asks. */
interface Choice {
  quantity?: string | undefined;
}

export const useAddLines = () =>
  useChange(({ text, quantity }: { text: string } & Choice) =>
    callShop(addBatchLines, { body: { text }, query: { quantity } }),
  );

export const useAddFile = () =>
  useChange(({ file, quantity }: { file: Blob } & Choice) =>
    callShop(addBatchFile, { file, query: { quantity } }),
  );

/** Resolves once the list is fresh. */
export function useRemoveLine() {
  const queries = useQueryClient();
  return useMutation({
    scope,
    mutationFn: (productId: string) => callShop(removeBatchLine, { params: { productId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: batchQueryOptions().queryKey }),
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
