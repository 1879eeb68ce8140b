import type { Product } from '@parts-forge/contract/products';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type LiveState, useLiveProducts } from './live-products.ts';
import { productQueryOptions } from './queries.ts';

/** Keeps a product that was read as the stream says that it is now. `isGone` when it is not sold any more. */
export function useLiveProduct(id: string): LiveState & { isGone: boolean } {
  const queries = useQueryClient();
  const live = useLiveProducts([id]);
  const now = live.products.get(id);
  useEffect(() => {
    if (!now) return;
    queries.setQueryData<Product>(productQueryOptions(id).queryKey, (known) => known && { ...known, ...now });
  }, [id, now, queries]);
  return { ...live, isGone: now === null };
}
