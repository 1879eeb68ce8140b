import { KINDS, type Kind } from '@parts-forge/contract/products/part-rules';
import type { ProductFacets } from '@parts-forge/contract/products/products';

/**
 * All (null), then the kinds with a part under the other filters, and the chosen one. Empty when the counts are
 * unknown or all parts are of one kind.
 */
export function listKindChoices(facets: ProductFacets | null, chosen: Kind | null) {
  const counts = new Map(facets?.kinds.map(({ kind, count }) => [kind, count]));
  if (chosen && !counts.has(chosen)) counts.set(chosen, 0);
  const kinds = KINDS.filter((kind) => counts.has(kind)).map((kind) => ({
    kind,
    label: kind,
    count: counts.get(kind) ?? 0,
  }));
  if (kinds.length < 2 && chosen === null) return [];
  const count = kinds.reduce((sum, each) => sum + each.count, 0);
  return [{ kind: null, label: 'All', count }, ...kinds];
}

export const listModelOptions = (facets: ProductFacets | null) =>
  (facets?.fits ?? []).map(({ model, count }) => ({ value: model, count }));
