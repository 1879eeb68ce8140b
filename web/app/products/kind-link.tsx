import type { Kind } from '@parts-forge/contract/part-rules';
import { Link } from 'react-router';

/** The list of all parts of a kind. */
export const buildKindPath = (kind: Kind): string => `/all-products?kind=${encodeURIComponent(kind)}`;

/** The way on from a part that cannot be ordered: others like it. */
export function KindLink({ kind, className }: { kind: Kind; className: string }) {
  return (
    <Link to={buildKindPath(kind)} className={className}>
      {kind === 'Other' ? 'See All Parts' : `See All ${kind}`}
    </Link>
  );
}
