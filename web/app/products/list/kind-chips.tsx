import { formatPieces } from '@parts-forge/contract/money/money';
import type { ProductFacets } from '@parts-forge/contract/products/products';
import { Link } from 'react-router';
import { buildListAddress, type ProductFilter } from '#app/products/product-filter.ts';
import { listKindChoices } from './kind-choices.ts';

interface KindChipsProps {
  filter: ProductFilter;
  facets: ProductFacets | null;
}

/** The kinds as links; on phones the filter sheet has them. */
export function KindChips({ filter, facets }: KindChipsProps) {
  const choices = listKindChoices(facets, filter.kind);
  if (choices.length === 0) return null;
  return (
    <nav aria-label="Kinds of parts" className="mt-6 max-md:hidden">
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ kind, label, count }) => (
          <li key={label}>
            <Link
              to={buildListAddress({ ...filter, kind, after: null })}
              preventScrollReset
              className="pf-choice"
              aria-current={kind === filter.kind || undefined}
            >
              {label}
              <span className="num">{formatPieces(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
