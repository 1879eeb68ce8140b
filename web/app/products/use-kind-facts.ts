import type { Kind } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readListPage } from '#app/calls/list-page.ts';

export interface KindFacts {
  /** How many parts there are, as the shop writes it: `3`, or `1000+`. */
  count: string;
  /** In dollars for one piece; null where there is no part. */
  leastPrice: number | null;
}

/**
 * What there is of some kinds, read once, when `load` is called, or when what has the ref `chain` is seen on a device that
 * cannot point. Kinds that could not be read are left out: the facts are an extra.
 */
export function useKindFacts(kinds: readonly Kind[]) {
  const [facts, setFacts] = useState<ReadonlyMap<Kind, KindFacts>>(new Map());
  const isLoaded = useRef(false);
  const chain = useRef<HTMLDivElement>(null);
  const load = useCallback(() => {
    if (isLoaded.current) return;
    isLoaded.current = true;
    for (const kind of kinds) {
      readFacts(kind).then(
        (kindFacts) => setFacts((before) => new Map(before).set(kind, kindFacts)),
        // The link leads there all the same.
        () => {},
      );
    }
  }, [kinds]);
  useEffect(() => {
    const element = chain.current;
    if (!element || !window.matchMedia('(hover: none)').matches) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) load();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [load]);
  return { facts, chain, load };
}

/** The cheapest part of a kind is the first by price, and its page tells how many there are. */
async function readFacts(kind: Kind): Promise<KindFacts> {
  const query = new URLSearchParams({ limit: '1', kind, sort: 'price' });
  const { rows, total } = await readListPage<Product>(await fetch(`/product?${query}`));
  return { count: total, leastPrice: rows[0]?.price ?? null };
}
