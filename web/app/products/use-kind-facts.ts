import type { Kind } from '@parts-forge/contract/part-rules';
import type { Product } from '@parts-forge/contract/products';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readListPage } from '#app/calls/list-page.ts';

export interface KindFacts {
  /** As the shop writes it: `3`, or `1000+`. */
  count: string;
  /** In dollars for one piece; null without parts. */
  leastPrice: number | null;
}

/**
 * Reads once, when `load` is called or a touch device shows the `chain` element. Kinds that fail to load are
 * omitted: the facts are optional.
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
        // The link works without the facts.
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

/** The first part by price is the cheapest. */
async function readFacts(kind: Kind): Promise<KindFacts> {
  const query = new URLSearchParams({ limit: '1', kind, sort: 'price' });
  const { rows, total } = await readListPage<Product>(await fetch(`/product?${query}`));
  return { count: total, leastPrice: rows[0]?.price ?? null };
}
