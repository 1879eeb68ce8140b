import { KINDS, type Kind } from '@parts-forge/contract/part-rules';
import type { ProductFacets } from '@parts-forge/contract/products';

interface KindChoice {
  /** Null for all of them. */
  kind: Kind | null;
  label: string;
  count: number;
}

/**
 * What can be chosen: all, then the kinds that have a part under the other filters. The chosen one stays with none. Nothing
 * to choose, when the counts are not known or all parts are of one kind.
 */
export function listKindChoices(facets: ProductFacets | null, chosen: Kind | null): KindChoice[] {
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

/** The models that can be chosen, as the field for them shows them. */
export const listModelOptions = (facets: ProductFacets | null) =>
  (facets?.fits ?? []).map(({ model, count }) => ({ value: model, count }));
