import { addProduct, deleteProduct, type NewProduct, restockProduct } from '@parts-forge/contract/products';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';

/** Deletes a product. Done when the list shows it. */
export function useDeleteProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(deleteProduct, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
}

/** Sets the stock of a product in pieces. Done when the list shows it. */
export function useRestockProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, quantity }: { id: string; quantity: number }) =>
      callShop(restockProduct, { params: { id }, body: { quantity } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['products'] }),
  });
}

/** Adds a product whose picture is at the image host already. */
export function useAddProduct() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (product: NewProduct) => callShop(addProduct, { body: product }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['products'] }),
  });
}
