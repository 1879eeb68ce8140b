import { changeProduct, type ProductChanges } from '@parts-forge/contract/products/product-changes';
import { addProduct, deleteProduct, type NewProduct } from '@parts-forge/contract/products/products';
import { changeStock, type StockChange } from '@parts-forge/contract/products/stock';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { useChange } from '#app/calls/use-change.ts';
import { useIdempotencyKey } from '#app/calls/use-idempotency-key.ts';

export const useDeleteProduct = () =>
  useChange((id: string) => callShop(deleteProduct, { params: { id } }), ['products']);

/**
 * Resolves when lists and ledger show it. A retry applies once; after `begin`, the same change counts as
 * a new one.
 */
export function useChangeStock() {
  const keys = useIdempotencyKey();
  const change = useChange(
    async ({ id, ...body }: StockChange & { id: string }) => {
      const headers = keys.getHeaders({ id, ...body });
      const answer = await callShop(changeStock, { params: { id }, body, headers });
      keys.forget();
      return answer;
    },
    ['products'],
  );
  return { ...change, begin: keys.forget };
}

/** The picture is already at the image host. */
export function useAddProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (product: NewProduct) => callShop(addProduct, { body: product }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['products'] }),
  });
}

/** Edits the version that was read. Resolves when lists show it. */
export function useChangeProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ifMatch, body }: { id: string; ifMatch: string; body: ProductChanges }) =>
      (await callShop(changeProduct, { params: { id }, body, headers: { 'if-match': ifMatch } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
}
