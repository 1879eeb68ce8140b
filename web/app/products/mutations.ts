import { changeProduct, type ProductChanges } from '@parts-forge/contract/product-changes';
import { addProduct, deleteProduct, type NewProduct } from '@parts-forge/contract/products';
import { changeStock, type StockChange } from '@parts-forge/contract/stock';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { useIdempotencyKey } from '#app/calls/use-idempotency-key.ts';

/** Deletes a product. Done when the list shows it. */
export function useDeleteProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(deleteProduct, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
}

/**
 * Adds to the stock of a product, or sets it while it is what was seen. Done when lists and ledger show it; sent again
 * after a broken connection it is done once, until `begin`: from then on the same change is meant anew.
 */
export function useChangeStock() {
  const queries = useQueryClient();
  const keys = useIdempotencyKey();
  const change = useMutation({
    mutationFn: ({ id, ...body }: StockChange & { id: string }) =>
      callShop(changeStock, { params: { id }, body, headers: keys.getHeaders({ id, ...body }) }),
    onSuccess: () => keys.forget(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
  return { ...change, begin: keys.forget };
}

/** Adds a product whose picture is at the image host already. */
export function useAddProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (product: NewProduct) => callShop(addProduct, { body: product }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['products'] }),
  });
}

/** Edits the fields of a product under the version that was seen. Done when lists show it. */
export function useChangeProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ifMatch, body }: { id: string; ifMatch: string; body: ProductChanges }) =>
      (await callShop(changeProduct, { params: { id }, body, headers: { 'if-match': ifMatch } })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
}
