import type { Product } from '@parts-forge/contract/products';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { productQueryOptions } from '#app/products/queries.ts';
import { type LiveState, useProductStream } from './product-stream.ts';

/**
 * Keeps the stock of a product that was read as the stream says that it is now. `isGone` when it is not sold any more. Its
 * price stays as it was read: whoever is about to order is told of another one and asked to press again.
 */
export function useLiveProduct(id: string): LiveState & { isGone: boolean } {
  const queries = useQueryClient();
  const live = useProductStream(id);
  const { now } = live;
  useEffect(() => {
    if (!now) return;
    const { quantity } = now;
    queries.setQueryData<Product>(
      productQueryOptions(id).queryKey,
      (known) => known && { ...known, quantity },
    );
  }, [id, now, queries]);
  return { ...live, isGone: now === null };
}
