import type { Kind } from '@parts-forge/contract/products/part-rules';
import { Link } from 'react-router';

export const buildKindPath = (kind: Kind): string => `/all-products?kind=${encodeURIComponent(kind)}`;

/** The link from a part that cannot be ordered to others of its kind. */
export function KindLink({ kind, className }: { kind: Kind; className: string }) {
  return (
    <Link to={buildKindPath(kind)} className={className}>
      {kind === 'Other' ? 'See All Parts' : `See All ${kind}`}
    </Link>
  );
}
