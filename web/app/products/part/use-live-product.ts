import type { Product } from '@parts-forge/contract/products/products';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { productQueryOptions } from '#app/products/queries.ts';
import { type LiveState, useProductStream } from './product-stream.ts';

/**
 * Keeps the cached stock current from the stream. `isGone` when the part is no longer sold. The price stays
 * as read: an order at an outdated price asks for confirmation.
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
